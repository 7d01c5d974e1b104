import { LitElement, css, html } from 'lit';
import { shared } from '../ui/shared.js';

const groups: readonly [string, readonly [string, string][]][] = [
  ['Move', [
    ['W A S D', 'walk, fly, steer'], ['Space', 'jump; up with jetpack or helm'], ['C', 'down'], ['Shift', 'run'],
    ['J', 'jetpack on or off'], ['X', 'dampers on or off'], ['F', 'use: doors, lifts, helm'],
  ]],
  ['Act', [
    ['Mouse', 'look, as the arrows; Esc frees it'], ['Left button', 'rifle'], ['Right button', 'bow: hold to draw'],
    ['G', 'dig a cell'], ['H', 'place a stone'],
  ]],
  ['See', [
    ['V', 'first or third person'], ['B', 'where the server has you'], ['T', 'split: mine, the server’s truth'],
    ['L', 'the last 30 s under the lens'], ['Tab', 'panels on or off'], ['?', 'these keys'],
  ]],
  ['Break', [
    ['1 – 9', 'take a technique away'], ['0', 'all techniques on'], ['E R', 'move the prediction by 0.5 m'],
    ['K', 'kill the worker below you'],
  ]],
];

/** All keys. */
export class HelpPanel extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        position: absolute;
        inset: 0;
        z-index: 12;
        display: grid;
        place-items: center;
        background: rgb(5 7 11 / 66%);
        backdrop-filter: var(--blur);
      }
      section {
        display: grid;
        grid-template-columns: repeat(2, minmax(270px, 1fr));
        gap: 22px 44px;
        padding: 28px 34px;
        border: 1px solid var(--line);
        border-radius: 12px;
        background: #0c1118;
      }
      dl {
        display: grid;
        grid-template-columns: 104px 1fr;
        gap: 6px 12px;
        margin: 10px 0 0;
      }
      dt {
        display: flex;
        gap: 4px;
      }
      dd {
        margin: 0;
        color: var(--text-soft);
      }
      footer {
        grid-column: 1 / -1;
        color: var(--text-faint);
        font-size: 12px;
      }
      @media (max-width: 760px) {
        section {
          grid-template-columns: 1fr;
        }
      }
    `,
  ];

  override render() {
    return html`<section role="dialog" aria-label="Keys" @click=${() => this.dispatchEvent(new Event('close'))}>
      ${groups.map(
        ([title, keys]) => html`<div>
          <h2>${title}</h2>
          <dl>${keys.map(([key, what]) => html`<dt>${keysOf(key)}</dt><dd>${what}</dd>`)}</dl>
        </div>`,
      )}
      <footer>Gamepad: left stick moves, right stick looks, A jumps, X uses, Y is the jetpack, triggers shoot.</footer>
    </section>`;
  }
}
customElements.define('help-panel', HelpPanel);

function keysOf(text: string) {
  return /^([A-Z] )+[A-Z]$/.test(text) ? text.split(' ').map((key) => html`<kbd>${key}</kbd>`) : html`<kbd>${text}</kbd>`;
}

import { LitElement, css, html, nothing } from 'lit';
import { quoted } from '../api/acts.js';
import { shared } from '../ui/shared.js';
import '../ui/cmd_line.js';
import type { Cockpit } from './cockpit.js';
import { hud } from './hud.js';
import { settingOf, techniques } from './techniques.js';

/** Techniques against latency, each on a key. */
export class TechniquesPanel extends LitElement {
  static override properties = { cockpit: { attribute: false }, off: { attribute: false } };
  declare cockpit: Cockpit;
  /** A copy, so that a change is seen. */
  declare off: readonly string[];

  static override styles = [
    shared,
    hud,
    css`
      ul {
        display: grid;
        gap: 1px;
        margin: 0 -6px;
        padding: 0;
        list-style: none;
      }
      li button {
        display: grid;
        grid-template-columns: 22px 1fr auto;
        align-items: center;
        gap: 8px;
        width: 100%;
        height: 25px;
        padding: 0 6px;
        border: 0;
        background: none;
        text-align: left;
      }
      li.off {
        border-radius: 4px;
        background: rgb(232 196 104 / 9%);
      }
      li.off .name {
        color: var(--warn);
        text-decoration: line-through;
        text-decoration-color: rgb(232 196 104 / 55%);
      }
      .state {
        width: 22px;
        height: 12px;
        padding: 2px;
        border-radius: 7px;
        background: var(--accent-soft);
      }
      .state::after {
        content: '';
        display: block;
        width: 8px;
        height: 8px;
        border-radius: 50%;
        background: var(--accent);
        transform: translateX(10px);
        transition: transform 0.14s;
      }
      li.off .state {
        background: rgb(150 170 205 / 14%);
      }
      li.off .state::after {
        background: var(--text-faint);
        transform: none;
      }
      .without {
        padding: 0 6px 5px 36px;
        font-size: 11px;
        line-height: 1.3;
        color: var(--text-soft);
      }
      cmd-line {
        margin-top: 9px;
      }
    `,
  ];

  override render() {
    const { cockpit, off } = this;
    const settings = techniques.filter(({ key }) => off.includes(key)).map((each) => settingOf(each, false));
    const words = settings.length > 0 ? ` ${settings.join(' ')}` : '';
    return html`<section class="panel" aria-label="Techniques">
      <header>
        <h2>Techniques</h2>
        <span class="right">${off.length === 0 ? 'all on' : html`<kbd>0</kbd> all on`}</span>
      </header>
      <ul>
        ${techniques.map(({ key, title, without }, i) => {
          const isOff = off.includes(key);
          return html`<li class=${isOff ? 'off' : ''}>
            <button title=${`${key}: ${without}`} aria-pressed=${!isOff} @click=${() => cockpit.setTechnique(key, isOff)}>
              <kbd>${i + 1}</kbd><span class="name">${title}</span><span class="state"></span>
            </button>
            ${isOff ? html`<div class="without">${without}</div>` : nothing}
          </li>`;
        })}
      </ul>
      <cmd-line .text=${`./perigee ctl techniques ${quoted(cockpit.playerName)}${words}`}></cmd-line>
    </section>`;
  }
}
customElements.define('techniques-panel', TechniquesPanel);

import { LitElement, css, html, nothing } from 'lit';
import { perform, type Act } from '../api/acts.js';
import { sentenceOf } from '../api/http.js';
import { cluster } from '../app/state.js';
import { RendersOn } from '../model/emitter.js';
import './cmd_line.js';
import type { ConfirmAct } from './confirm.js';
import { shared } from './shared.js';
import { toast } from './toasts.js';

/** Asks, if wanted, performs an act, and shows its result. True: it is done. */
export async function act<Reply>(what: Act<Reply>, ask = true): Promise<boolean> {
  const why = cluster.whyNot(what.name);
  if (why !== '') {
    toast(`${what.verb}: ${why}`, true);
    return false;
  }
  const dialog = document.querySelector('console-app')?.shadowRoot?.querySelector<ConfirmAct>('confirm-act');
  if (ask && !(await dialog?.ask(what as Act<never>))) return false;
  try {
    const reply = await perform(what);
    toast(`${what.verb}: done. ${what.reply?.(reply) ?? ''}`);
    return true;
  } catch (error) {
    toast(`${what.verb}: ${sentenceOf(error)}`, true);
    return false;
  }
}

/** An act with its command line below. */
export class ActButton extends LitElement {
  static override properties = { what: { attribute: false }, label: {}, disabled: { type: Boolean }, line: { type: Boolean } };
  declare what: Act<never> | undefined;
  declare label: string;
  declare disabled: boolean;
  /** Whether the command line is shown, and not only in the tooltip and the confirmation. */
  declare line: boolean;

  static override styles = [
    shared,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      div {
        display: grid;
        grid-template-columns: 92px minmax(0, 1fr);
        align-items: center;
        gap: 8px;
      }
      div button {
        justify-content: center;
      }
    `,
  ];

  constructor() {
    super();
    this.what = undefined;
    this.label = '';
    this.disabled = false;
    this.line = false;
    new RendersOn(this, cluster);
  }

  override render() {
    const { what } = this;
    if (!what) return nothing;
    const why = cluster.whyNot(what.name);
    const button = html`<button
      class="act ${what.harmful ? 'harmful' : ''} ${this.line ? '' : 'small'}"
      ?disabled=${why !== '' || this.disabled}
      title=${why || `${what.consequence}\n${what.command}`}
      @click=${() => act(what)}
    >
      ${this.label || what.verb}
    </button>`;
    return this.line ? html`<div>${button}<cmd-line .text=${what.command}></cmd-line></div>` : button;
  }
}
customElements.define('act-button', ActButton);

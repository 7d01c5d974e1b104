import { LitElement, css, html, nothing } from 'lit';
import type { Act } from '../api/acts.js';
import './cmd_line.js';
import { shared } from './shared.js';

/** Asks before an act of an operator. */
export class ConfirmAct extends LitElement {
  static override properties = { act: { state: true } };
  declare act: Act<never> | undefined;
  #answer: (confirmed: boolean) => void = () => {};

  static override styles = [
    shared,
    css`
      dialog {
        width: min(440px, calc(100vw - 32px));
        padding: 20px 22px;
        border: 1px solid var(--line-strong);
        border-radius: 10px;
        background: #0e131b;
        color: var(--text);
        box-shadow: 0 30px 90px rgb(0 0 0 / 70%);
      }
      dialog::backdrop {
        background: rgb(4 6 10 / 62%);
      }
      p {
        margin: 0 0 14px;
        font-size: 14px;
        font-weight: 400;
      }
      .label {
        margin-bottom: 4px;
        font-size: 11px;
        color: var(--text-faint);
      }
      footer {
        display: flex;
        justify-content: flex-end;
        gap: 8px;
        margin-top: 18px;
      }
    `,
  ];

  ask(act: Act<never>): Promise<boolean> {
    this.#answer(false);
    this.act = act;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  override render() {
    const { act } = this;
    if (!act) return nothing;
    return html`<dialog @close=${() => this.#end(false)} aria-label=${act.verb}>
      <p>${act.consequence}</p>
      <div class="label">The same from a shell:</div>
      <cmd-line .text=${act.command}></cmd-line>
      <footer>
        <button @click=${() => this.#end(false)}>Cancel</button>
        <button class=${act.harmful ? 'harmful' : 'main'} id="yes" @click=${() => this.#end(true)}>${act.verb}</button>
      </footer>
    </dialog>`;
  }

  override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (!dialog || dialog.open) return;
    dialog.showModal();
    this.renderRoot.querySelector<HTMLButtonElement>('#yes')?.focus();
  }

  #end(confirmed: boolean): void {
    const answer = this.#answer;
    this.#answer = () => {};
    this.act = undefined;
    answer(confirmed);
  }
}
customElements.define('confirm-act', ConfirmAct);

import { LitElement, css, html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

const shownForMs = 7000;
const toastsMax = 4;

/** Results of acts, in a corner of the page, for some seconds. */
export class ToastList extends LitElement {
  static override properties = { toasts: { state: true } };
  declare toasts: Toast[];
  #next = 1;

  static override styles = css`
    :host {
      position: fixed;
      left: 50%;
      bottom: 48px;
      transform: translateX(-50%);
      z-index: 60;
      display: grid;
      gap: 8px;
      width: min(380px, calc(100vw - 36px));
    }
    div {
      padding: 10px 13px;
      border: 1px solid var(--line-strong);
      border-left: 3px solid var(--good);
      border-radius: var(--radius-small);
      background: #10151e;
      box-shadow: 0 12px 40px rgb(0 0 0 / 55%);
      animation: in 0.16s ease-out;
    }
    div.bad {
      border-left-color: var(--bad);
    }
    @keyframes in {
      from {
        transform: translateY(8px);
        opacity: 0;
      }
    }
    @media (max-width: 720px) {
      :host {
        bottom: 74px;
      }
    }
  `;

  constructor() {
    super();
    this.toasts = [];
  }

  show(text: string, bad: boolean): void {
    const id = this.#next++;
    this.toasts = [...this.toasts, { id, text, bad }].slice(-toastsMax);
    setTimeout(() => (this.toasts = this.toasts.filter((each) => each.id !== id)), shownForMs);
  }

  override render() {
    return repeat(
      this.toasts,
      ({ id }) => id,
      ({ text, bad }) => html`<div class=${bad ? 'bad' : ''} role="status">${text}</div>`,
    );
  }
}
customElements.define('toast-list', ToastList);

export function toast(text: string, bad = false): void {
  document.querySelector('console-app')?.shadowRoot?.querySelector<ToastList>('toast-list')?.show(text, bad);
}

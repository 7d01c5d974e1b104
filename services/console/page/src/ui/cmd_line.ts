import { LitElement, css, html } from 'lit';

const copiedForMs = 1200;

/** A command line that does the same as the control beside it; a click copies it. */
export class CmdLine extends LitElement {
  static override properties = { text: {}, prompt: {}, copied: { state: true } };
  declare text: string;
  /** Of a shell; C for a call of the client library. */
  declare prompt: string;
  declare copied: boolean;

  static override styles = css`
    :host {
      display: block;
      min-width: 0;
    }
    button {
      display: block;
      width: 100%;
      padding: 4px 8px;
      border: 1px solid transparent;
      border-radius: 4px;
      background: rgb(0 0 0 / 32%);
      color: var(--text-soft);
      font: 11px/1.4 var(--mono);
      text-align: left;
      overflow-wrap: anywhere;
      cursor: copy;
    }
    button:hover {
      color: var(--text);
      border-color: var(--line-strong);
    }
    button:focus-visible {
      outline: 2px solid var(--accent);
    }
    i {
      font-style: normal;
      color: var(--accent);
      user-select: none;
    }
    :host([bare]) button {
      background: none;
      padding: 0;
    }
  `;

  constructor() {
    super();
    this.text = '';
    this.prompt = '$';
    this.copied = false;
  }

  override render() {
    return html`<button @click=${this.#copy} title="Copy">
      <i>${this.copied ? '✓' : this.prompt}</i> ${this.text}
    </button>`;
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
    } catch {
      return; // a page without the right to write to the clipboard; the text can be selected
    }
    this.copied = true;
    setTimeout(() => (this.copied = false), copiedForMs);
  }
}
customElements.define('cmd-line', CmdLine);

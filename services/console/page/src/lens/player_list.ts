import { LitElement, css, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { getBytes, sentenceOf } from '../api/http.js';
import { listRecordings, listSessions } from '../api/acts.js';
import type { FlightFile, SessionInfo } from '../api/types.js';
import { hangar } from '../fly/pilot.js';
import { RendersOn } from '../model/emitter.js';
import { ago } from '../ui/format.js';
import { shared } from '../ui/shared.js';

const askEveryMs = 3000;
const rowsMax = 200;
const filesShown = 12;

/** Files were chosen. */
export class OpenEvent extends Event {
  constructor(readonly files: { name: string; bytes: Uint8Array }[]) {
    super('open-files', { bubbles: true, composed: true });
  }
}
/** A sentence on why a file cannot be fetched. */
export class FailEvent extends Event {
  constructor(readonly sentence: string) {
    super('fail', { bubbles: true, composed: true });
  }
}

/** Whose flight is looked at: players, and recordings of workers. */
export class PlayerList extends LitElement {
  static override properties = {
    clientId: {}, sessions: { state: true }, recorded: { state: true }, files: { state: true }, filter: { state: true },
  };
  declare clientId: string;
  declare sessions: readonly SessionInfo[];
  /** Clients with an armed recorder. */
  declare recorded: ReadonlySet<string>;
  declare files: readonly (FlightFile & { worker: string })[];
  declare filter: string;
  #timer = 0;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto;
        gap: 10px;
        min-height: 0;
        padding: 16px 12px 14px;
      }
      h2 {
        padding: 0 8px;
      }
      input {
        width: 100%;
        margin-top: 9px;
      }
      ol {
        list-style: none;
        margin: 0;
        padding: 0;
        overflow: auto;
        min-height: 0;
        scrollbar-width: thin;
        scrollbar-color: rgb(150 170 205 / 25%) transparent;
      }
      a {
        display: flex;
        align-items: center;
        gap: 8px;
        height: 29px;
        padding: 0 8px;
        border-radius: var(--radius-small);
        color: var(--text-soft);
      }
      a:hover {
        text-decoration: none;
        color: var(--text);
        background: var(--bg-hover);
      }
      a[aria-current='true'] {
        color: var(--text);
        background: var(--accent-soft);
      }
      a span:first-child {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      a .rec {
        margin-left: auto;
        flex: none;
        width: 7px;
        height: 7px;
        border-radius: 50%;
        background: var(--bad);
      }
      .files button {
        width: 100%;
        justify-content: space-between;
        gap: 8px;
        font-size: 11px;
      }
      .files span:first-child {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .open {
        width: 100%;
        justify-content: center;
      }
    `,
  ];

  constructor() {
    super();
    this.clientId = this.filter = '';
    this.sessions = [];
    this.recorded = new Set();
    this.files = [];
    new RendersOn(this, hangar);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#ask();
    this.#timer = window.setInterval(() => void this.#ask(), askEveryMs);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  override render() {
    const own = hangar.pilot?.clientId ?? '';
    const wanted = this.filter.trim().toLowerCase();
    const rows = this.sessions
      .filter(({ playerName }) => playerName.toLowerCase().includes(wanted))
      .sort((a, b) =>
        Number(b.clientId === own) - Number(a.clientId === own) ||
        Number(this.recorded.has(b.clientId)) - Number(this.recorded.has(a.clientId)) ||
        a.playerName.localeCompare(b.playerName, 'en', { numeric: true }),
      )
      .slice(0, rowsMax);
    return html`
      <div>
        <h2>Player</h2>
        <input type="text" placeholder="Name" aria-label="Filter by name" .value=${this.filter}
          @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
      </div>
      <ol>
        ${repeat(rows, ({ clientId }) => clientId, ({ clientId, playerName }) => html`<li>
          <a href="#/lens/${clientId}" aria-current=${clientId === this.clientId}>
            <span>${playerName}</span>
            ${clientId === own ? html`<span class="tag">you</span>` : nothing}
            ${this.recorded.has(clientId) ? html`<i class="rec" title="recorded"></i>` : nothing}
          </a>
        </li>`)}
      </ol>
      <div class="files">
        ${this.files.length === 0 ? nothing : html`<h2 style="margin-bottom:6px">Files of workers</h2>`}
        ${this.files.slice(0, filesShown).map((file) => html`<button class="small plain" title=${`${file.worker}: ${file.name}`} @click=${() => this.#fetch(file)}>
          <span>${file.name.replace(/^flight-|\.flight$/g, '')}</span>
          <span class="faint">${ago(Date.now() / 1000 - Number(file.changedUnixS))}</span>
        </button>`)}
        <button class="open" id="open" style="margin-top:8px" @click=${this.#choose}>Open recording…</button>
        <input type="file" id="file" accept=".flight" multiple hidden @change=${this.#chosen} />
      </div>
    `;
  }

  readonly #choose = (): void => this.renderRoot.querySelector<HTMLInputElement>('#file')!.click();

  readonly #chosen = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length > 0) this.dispatchEvent(new OpenEvent(await contentOf(files)));
  };

  async #fetch({ worker, name }: FlightFile & { worker: string }): Promise<void> {
    try {
      const bytes = await getBytes(`api/recording?worker=${encodeURIComponent(worker)}&file=${encodeURIComponent(name)}`);
      this.dispatchEvent(new OpenEvent([{ name, bytes }]));
    } catch (error) {
      this.dispatchEvent(new FailEvent(sentenceOf(error)));
    }
  }

  async #ask(): Promise<void> {
    if (document.hidden) return;
    try {
      const [sessions, workers] = await Promise.all([listSessions(), listRecordings()]);
      this.sessions = sessions;
      this.dispatchEvent(new Event('known'));
      this.recorded = new Set(workers.flatMap(({ armed }) => armed.filter(({ left }) => !left).map(({ clientId }) => clientId)));
      this.files = workers
        .flatMap(({ worker, files }) => files.map((file) => ({ ...file, worker })))
        .sort((a, b) => Number(b.changedUnixS) - Number(a.changedUnixS));
    } catch {
      // the banner of the console says what does not answer
    }
  }
}
customElements.define('player-list', PlayerList);

export async function contentOf(files: readonly File[]): Promise<{ name: string; bytes: Uint8Array }[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}

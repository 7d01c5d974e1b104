import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { kickSession, listSessions } from '../api/acts.js';
import { sentenceOf } from '../api/http.js';
import type { SessionInfo } from '../api/types.js';
import { cluster, live, players } from '../app/state.js';
import type { PlayerFigures } from '../model/players.js';
import { RendersOn } from '../model/emitter.js';
import '../ui/act_button.js';
import { ago, fixed, ms, plural } from '../ui/format.js';
import { scrolling, shared } from '../ui/shared.js';
import '../ui/sparkline.js';
import './player_techniques.js';
import { verdictOf } from './verdict.js';
import { playersStyles } from './players_styles.js';

const askEveryMs = 3000;
const rowsMax = 500;

interface Row {
  clientId: string;
  name: string;
  session: SessionInfo | undefined;
  figures: PlayerFigures | undefined;
}

type Column = 'name' | 'rttMs' | 'inputToEyeMs' | 'jitterMs' | 'lossPermille' | 'leadMs' | 'correctionsPerMinute' | 'kBPerS';

const columns: readonly { key: Column; title: string; unit?: string; about: string; wide?: boolean }[] = [
  { key: 'rttMs', title: 'ping', unit: 'ms', about: 'Round trip of the network' },
  { key: 'jitterMs', title: 'jitter', unit: 'ms', about: 'How much round trips differ', wide: true },
  { key: 'lossPermille', title: 'loss', unit: '%', about: 'Packets that were lost' },
  { key: 'inputToEyeMs', title: 'key to eye', unit: 'ms', about: 'From sampling an input to the frame with its full effect', wide: true },
  { key: 'leadMs', title: 'lead', unit: 'ms', about: 'How far the client predicts ahead', wide: true },
  { key: 'correctionsPerMinute', title: 'corr./min', about: 'Visible corrections, over 5 cm' },
  { key: 'kBPerS', title: 'kB/s', about: 'To the client', wide: true },
];

/** All players: how each of them is connected, and why somebody has a bad time. */
export class PlayersPage extends LitElement {
  static override properties = {
    sessions: { state: true }, failure: { state: true }, filter: { state: true }, sortBy: { state: true },
    down: { state: true }, open: { state: true },
  };
  declare sessions: readonly SessionInfo[] | undefined;
  declare failure: string;
  declare filter: string;
  declare sortBy: Column;
  declare down: boolean;
  /** Client whose techniques are shown. */
  declare open: string;
  #timer = 0;
  #stopWatching: () => void = () => {};

  static override styles = [shared, scrolling, playersStyles];

  constructor() {
    super();
    this.sessions = undefined;
    this.failure = this.filter = this.open = '';
    this.sortBy = 'name';
    this.down = false;
    new RendersOn(this, cluster, players);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopWatching = live.watchPlayers();
    void this.#ask();
    this.#timer = window.setInterval(() => void this.#ask(), askEveryMs);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWatching();
    clearInterval(this.#timer);
  }

  override render() {
    const rows = this.#rows();
    const shown = rows.slice(0, rowsMax);
    return html`
      <div class="head">
        <h1>Players</h1>
        <span class="soft">${plural(rows.length, 'player')}${rows.length > rowsMax ? html`, ${rowsMax} shown` : nothing}</span>
        <input type="text" placeholder="Name" aria-label="Filter by name" .value=${this.filter}
          @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
      </div>
      ${this.failure ? html`<p class="note">${this.failure}</p>` : nothing}
      ${players.leftOut > 0 ? html`<p class="note">${plural(players.leftOut, 'player')} more have no figures here.</p>` : nothing}
      ${rows.length === 0
        ? html`<div class="empty">${this.filter ? 'Nobody has such a name.' : html`Nobody plays. <span class="mono">./perigee bots --count 20 --seconds 60</span> adds bots.`}</div>`
        : this.#table(shown)}
    `;
  }

  #table(rows: readonly Row[]) {
    const head = (key: Column, title: string, about: string, classes: string) => html`<th
      class="${classes} ${this.sortBy === key ? 'sorted' : ''}" title=${about}>
      <button @click=${() => this.#sort(key)}>${title}${this.sortBy === key ? (this.down ? ' ↓' : ' ↑') : ''}</button>
    </th>`;
    return html`<table>
      <thead>
        <tr>
          ${head('name', 'name', 'As logged in', '')}
          <th></th>
          ${columns.map(({ key, title, about, wide }) => head(key, title, about, `number ${wide ? 'wide' : ''}`))}
          <th class="wide">ping over a minute</th>
          <th class="wide">gateway</th>
          <th></th>
        </tr>
      </thead>
      <tbody>
        ${repeat(rows, ({ clientId }) => clientId, (row) => this.#row(row))}
      </tbody>
    </table>`;
  }

  #row({ clientId, name, session, figures }: Row) {
    const verdict = figures && verdictOf(figures);
    const state = session?.state ?? 'playing';
    const loggedIn = Date.now() / 1000 - Number(session?.loggedInUnixS ?? NaN);
    const open = this.open === clientId;
    return html`<tr class="row">
        <td class="name" title=${`#${clientId}${Number.isFinite(loggedIn) ? `, logged in ${ago(loggedIn)}` : ''}`}>${name}</td>
        <td>
          ${state !== 'playing' ? html`<span class="tag ${state === 'lost' ? 'bad' : ''}">${state}</span>`
            : verdict ? html`<span class="tag ${verdict.tone}" title=${verdict.sentence}>${verdict.word}</span>` : nothing}
        </td>
        ${columns.map(({ key, unit, wide }) => html`<td class="number ${wide ? 'wide' : ''}">${shownFigure(key, figures)} ${figures && unit ? html`<small>${unit}</small>` : nothing}</td>`)}
        <td class="wide"><spark-line .values=${figures?.rttsMs ?? []} floor="40"></spark-line></td>
        <td class="wide faint mono">${session?.gatewayAddress ?? cluster.map?.gateways.find(({ slot }) => slot === figures?.gatewaySlot)?.name ?? ''}</td>
        <td class="acts">
          <a class="lens" href="#/lens/${clientId}" title="The last 30 s, and the cause of each correction">Lens</a>
          <button class="small plain" aria-expanded=${open} @click=${() => (this.open = open ? '' : clientId)}>Techniques</button>
          <act-button .what=${kickSession(clientId, name)}></act-button>
        </td>
      </tr>
      ${open
        ? html`<tr>
            <td colspan="12"><player-techniques .clientId=${clientId} .name=${name}></player-techniques></td>
          </tr>`
        : nothing}`;
  }

  #rows(): Row[] {
    const rows = new Map<string, Row>();
    for (const session of this.sessions ?? []) {
      rows.set(session.clientId, { clientId: session.clientId, name: session.playerName, session, figures: undefined });
    }
    for (const figures of players.all.values()) {
      const { clientId } = figures;
      const row = rows.get(clientId);
      if (row) row.figures = figures;
      else rows.set(clientId, { clientId, name: `#${clientId}`, session: undefined, figures });
    }
    const wanted = this.filter.trim().toLowerCase();
    const { sortBy, down } = this;
    const value = (row: Row) => (sortBy === 'name' ? 0 : (row.figures?.[sortBy] ?? -1));
    return [...rows.values()]
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .sort((a, b) => (down ? -1 : 1) * (value(a) - value(b)) || a.name.localeCompare(b.name, 'en', { numeric: true }));
  }

  #sort(key: Column): void {
    if (this.sortBy === key) this.down = !this.down;
    else [this.sortBy, this.down] = [key, key !== 'name'];
  }

  async #ask(): Promise<void> {
    if (document.hidden) return;
    try {
      this.sessions = await listSessions();
      this.failure = '';
    } catch (error) {
      this.failure = `Sessions are not known: ${sentenceOf(error)}`;
    }
  }
}
customElements.define('players-page', PlayersPage);

function shownFigure(key: Column, figures: PlayerFigures | undefined): string {
  if (!figures || key === 'name') return '–';
  if (key === 'lossPermille') return fixed(figures.lossPermille / 10, 1);
  if (key === 'correctionsPerMinute' || key === 'kBPerS') return fixed(figures[key], 1);
  return ms(figures[key]);
}

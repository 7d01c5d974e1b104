import { LitElement, css, html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { sentenceOf } from '../api/http.js';
import { instant } from '../api/prometheus.js';
import { route } from '../app/route.js';
import { RendersOn } from '../model/emitter.js';
import { scrolling, shared } from '../ui/shared.js';
import { board, boardNames, type Board, type Panel } from './board.js';
import './board_panel.js';

/** With the gap, Grafana's 30. */
const rowPixels = 24;
const gapPixels = 6;
const askAgainMs = 5000;
const spans: readonly [string, number][] = [['5 min', 300], ['15 min', 900], ['1 h', 3600], ['6 h', 21_600]];
const titles: Readonly<Record<string, string>> = {
  overview: 'Overview', gateway_floods: 'Gateway & floods', latency_corrections: 'Latency & corrections', cluster_traffic: 'Cluster & traffic',
};

/** The dashboards of deploy/grafana. */
export class DashboardsPage extends LitElement {
  static override properties = {
    shown: { state: true }, failure: { state: true }, spanS: { state: true }, worker: { state: true }, workers: { state: true },
    unanswered: { state: true },
  };
  declare shown: Board | undefined;
  declare failure: string;
  declare spanS: number;
  declare worker: string;
  declare workers: readonly string[];
  /** Why Prometheus gives no figures at all. */
  declare unanswered: string;
  #wanted = '';
  #timer = 0;

  static override styles = [
    shared,
    scrolling,
    css`
      .bar {
        position: sticky;
        top: -22px;
        z-index: 3;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 18px;
        margin: -22px -28px 14px;
        padding: 14px 28px 10px;
        background: rgb(7 9 13 / 92%);
      }
      .bar a {
        color: var(--text-soft);
        padding: 3px 0;
        border-bottom: 2px solid transparent;
      }
      .bar a:hover {
        text-decoration: none;
        color: var(--text);
      }
      .bar a[aria-current] {
        color: var(--text);
        border-color: var(--accent);
      }
      .bar .right {
        display: flex;
        gap: 6px;
        margin-left: auto;
      }
      .about {
        margin-bottom: 14px;
        max-width: 90ch;
        font-weight: 400;
        color: var(--text-faint);
      }
      .unanswered {
        margin-bottom: 14px;
        padding: 9px 14px;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        color: var(--warn);
      }
      .board {
        display: grid;
        grid-template-columns: repeat(24, minmax(0, 1fr));
        grid-auto-rows: ${rowPixels}px;
        gap: ${gapPixels}px 8px;
      }
      .board h2 {
        align-self: end;
      }
      .notice {
        padding: 60px 0;
        text-align: center;
        color: var(--text-soft);
      }
      @media (max-width: 860px) {
        .bar {
          top: -14px;
          margin: -14px -14px 12px;
          padding: 10px 14px;
        }
        .board {
          display: flex;
          flex-direction: column;
        }
        .board > board-panel {
          min-height: var(--h);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.shown = undefined;
    this.failure = this.unanswered = '';
    this.spanS = 900;
    this.worker = '.*';
    this.workers = [];
    new RendersOn(this, route);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#findWorkers();
    this.#timer = window.setInterval(() => this.unanswered && void this.#findWorkers(), askAgainMs);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  override render() {
    const name = boardNames.find((each) => each === route.part) ?? 'overview';
    void this.#load(name);
    return html`
      <div class="bar">
        ${boardNames.map((each) => html`<a href="#/dashboards/${each}" aria-current=${each === name ? 'page' : nothing}>${titles[each]}</a>`)}
        <div class="right">
          ${this.shown?.templating.list.length
            ? html`<select aria-label="Worker" @change=${(event: Event) => (this.worker = (event.target as HTMLSelectElement).value)}>
                <option value=".*">all workers</option>
                ${this.workers.map((each) => html`<option value=${each.replaceAll('.', String.raw`\\.`)}>${each}</option>`)}
              </select>`
            : nothing}
          <select aria-label="Time" @change=${(event: Event) => (this.spanS = Number((event.target as HTMLSelectElement).value))}>
            ${spans.map(([title, seconds]) => html`<option value=${seconds} ?selected=${seconds === this.spanS}>${title}</option>`)}
          </select>
        </div>
      </div>
      ${this.failure ? html`<div class="notice">${this.failure}</div>` : this.shown ? keyed(this.shown.uid, this.#board(this.shown)) : nothing}
    `;
  }

  #board({ panels, description }: Board) {
    return html`<p class="about">${description}</p>
      ${this.unanswered ? html`<p class="unanswered">No figures: ${this.unanswered}.</p>` : nothing}
      <div class="board">${repeat(panels, ({ id }) => id, (panel) => this.#panel(panel))}</div>`;
  }

  #panel(panel: Panel) {
    const { x, y, w, h } = panel.gridPos;
    const place = `grid-column:${x + 1} / span ${w};grid-row:${y + 1} / span ${h};--h:${h * (rowPixels + gapPixels)}px`;
    if (panel.type === 'row') return html`<h2 style=${place}>${panel.title}</h2>`;
    return html`<board-panel style=${place} .panel=${panel} .worker=${this.worker} .spanS=${this.spanS} .shownFailure=${this.unanswered}></board-panel>`;
  }

  async #load(name: string): Promise<void> {
    if (this.#wanted === name) return;
    this.#wanted = name;
    try {
      const loaded = await board(name);
      if (this.#wanted !== name) return;
      this.shown = loaded;
      this.failure = '';
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }

  async #findWorkers(): Promise<void> {
    try {
      const series = await instant('perigee_sim_players');
      this.workers = series.map(({ labels }) => labels['instance'] ?? '').filter(Boolean).sort();
      this.unanswered = '';
    } catch (error) {
      this.workers = [];
      this.unanswered = sentenceOf(error);
    }
  }
}
customElements.define('dashboards-page', DashboardsPage);

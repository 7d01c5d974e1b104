import { LitElement, css, html, nothing } from 'lit';
import { getJson, sentenceOf } from '../api/http.js';
import { instant } from '../api/prometheus.js';
import type { AuditEntry } from '../api/types.js';
import { cluster } from '../app/state.js';
import { RendersOn } from '../model/emitter.js';
import { clock } from '../ui/format.js';
import { workerColor } from '../ui/palette.js';
import { scrolling, shared } from '../ui/shared.js';
import { problemsOf } from './problems.js';

const askEveryMs = 3000;
const recordsShown = 8;
const changesShown = 12;

interface Alert {
  name: string;
  severity: string;
  where: string;
}

/** What is wrong, what has failed over, and what operators did. */
export class IncidentsPage extends LitElement {
  static override properties = { audit: { state: true }, failure: { state: true }, alerts: { state: true }, alertsWhy: { state: true } };
  declare audit: readonly AuditEntry[];
  declare failure: string;
  declare alerts: readonly Alert[];
  declare alertsWhy: string;
  #timer = 0;

  static override styles = [
    shared,
    scrolling,
    css`
      .grid {
        display: grid;
        grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr);
        gap: 16px;
        align-items: start;
      }
      .grid > div {
        display: grid;
        gap: 16px;
      }
      .card h2 {
        margin-bottom: 10px;
      }
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 10px minmax(0, 1fr) auto;
        gap: 2px 10px;
        align-items: baseline;
        padding: 8px 0;
        border-top: 1px solid var(--line);
      }
      li:first-child {
        border-top: 0;
        padding-top: 0;
      }
      li p {
        grid-column: 2 / -1;
        font-weight: 400;
        color: var(--text-soft);
      }
      .calm {
        display: flex;
        align-items: center;
        gap: 10px;
        padding: 4px 0;
        font-size: 15px;
      }
      .swatch {
        display: inline-block;
        width: 8px;
        height: 8px;
        margin-right: 5px;
        border-radius: 2px;
      }
      td.request {
        max-width: 320px;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      @media (max-width: 980px) {
        .grid {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.audit = [];
    this.alerts = [];
    this.failure = this.alertsWhy = '';
    new RendersOn(this, cluster);
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
    return html`
      <div class="head"><h1>Incidents</h1></div>
      <div class="grid">
        <div>${this.#now()} ${this.#audit()}</div>
        <div>${this.#alerts()} ${this.#failovers()} ${this.#changes()}</div>
      </div>
    `;
  }

  #now() {
    const problems = problemsOf(cluster);
    return html`<section class="card">
      <h2>Now</h2>
      ${problems.length === 0
        ? html`<div class="calm"><i class="dot good"></i>Nothing is wrong.</div>`
        : html`<ul>
            ${problems.map(({ tone, title, sentence }) => html`<li><i class="dot ${tone}"></i><b>${title}</b><span></span><p>${sentence}</p></li>`)}
          </ul>`}
    </section>`;
  }

  #alerts() {
    return html`<section class="card">
      <h2>Firing alerts</h2>
      ${this.alertsWhy
        ? html`<span class="faint">${this.alertsWhy}</span>`
        : this.alerts.length === 0
          ? html`<span class="soft">None.</span>`
          : html`<ul>
              ${this.alerts.map(({ name, severity, where }) => html`<li><i class="dot ${severity === 'page' ? 'bad' : 'warn'}"></i><b>${name}</b><span class="tag">${severity}</span><p>${where}</p></li>`)}
            </ul>`}
    </section>`;
  }

  #failovers() {
    const all = cluster.map?.failoverRecords.toReversed() ?? [];
    const records = all.slice(0, recordsShown);
    return html`<section class="card">
      <h2>Failovers</h2>
      ${records.length === 0
        ? html`<span class="soft">No worker that died has a living successor.</span>`
        : html`<table>
            <thead><tr><th>ended incarnation</th><th>taken over by</th><th>log's epoch</th><th></th></tr></thead>
            <tbody>
              ${records.map(
                ({ handleBase, successor, epoch, crashes, copied }) => html`<tr>
                  <td>${handleBase >>> 20}</td>
                  <td><span class="swatch" style="background:${workerColor(successor)}"></span>${cluster.workerName(successor)}</td>
                  <td>${epoch}</td>
                  <td>
                    ${crashes > 1 ? html`<span class="tag bad" title="Workers that died within 8 s of the one before">chain of ${crashes}</span>` : nothing}
                    <span class="tag ${copied ? 'good' : 'warn'}" title="Whether the successor's own standby has it, too">${copied ? 'copied' : 'one copy'}</span>
                  </td>
                </tr>`,
              )}
            </tbody>
          </table>
          ${all.length > recordsShown ? html`<span class="faint">and ${all.length - recordsShown} before</span>` : nothing}`}
    </section>`;
  }

  #changes() {
    return html`<section class="card">
      <h2>Changes of owners, as this page saw them</h2>
      ${cluster.changes.length === 0
        ? html`<span class="soft">None.</span>`
        : html`<table>
            <tbody>
              ${cluster.changes.slice(0, changesShown).map(
                ({ atMs, region, from, to }) => html`<tr>
                  <td class="faint mono">${clock(atMs)}</td>
                  <td>region ${region}</td>
                  <td><span class="swatch" style="background:${workerColor(from)}"></span>${cluster.workerName(from)} →
                    <span class="swatch" style="background:${workerColor(to)}"></span>${cluster.workerName(to)}</td>
                </tr>`,
              )}
            </tbody>
          </table>`}
    </section>`;
  }

  #audit() {
    return html`<section class="card">
      <h2>Acts of operators</h2>
      ${this.failure ? html`<span class="soft">${this.failure}</span>` : nothing}
      ${this.audit.length === 0 && !this.failure
        ? html`<span class="soft">No operator has acted from this console.</span>`
        : html`<table>
            <tbody>
              ${this.audit.map(
                ({ unix_ms: unixMs, who, act, request, result, message }) => {
                  const words = typeof request === 'string' ? request : JSON.stringify(request);
                  const done = result === 'OK';
                  return html`<tr>
                    <td class="faint mono" title=${new Date(unixMs).toISOString()}>${clock(unixMs)}</td>
                    <td class="who">${who}</td>
                    <td>${act.replaceAll('_', ' ')}</td>
                    <td class="request mono soft" title=${words}>${words}</td>
                    <td class="number"><span class="tag ${done ? 'good' : 'bad'}" title=${message ?? ''}>${done ? 'done' : result === 'PERMISSION_DENIED' ? 'refused' : result}</span></td>
                  </tr>`;
                },
              )}
            </tbody>
          </table>`}
    </section>`;
  }

  async #ask(): Promise<void> {
    if (document.hidden) return;
    try {
      this.audit = await getJson<AuditEntry[]>('api/audit');
      this.failure = '';
    } catch (error) {
      this.failure = sentenceOf(error);
    }
    try {
      const series = await instant('ALERTS{alertstate="firing"}');
      this.alertsWhy = '';
      this.alerts = series.map(({ labels }) => ({
        name: labels['alertname'] ?? '',
        severity: labels['severity'] ?? '',
        where: Object.entries(labels)
          .filter(([key]) => !['__name__', 'alertname', 'alertstate', 'severity', 'job'].includes(key))
          .map(([key, value]) => `${key} ${value}`)
          .join(', '),
      }));
    } catch (error) {
      this.alertsWhy = sentenceOf(error);
    }
  }
}
customElements.define('incidents-page', IncidentsPage);

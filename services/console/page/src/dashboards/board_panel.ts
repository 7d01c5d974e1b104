import { LitElement, html, nothing, unsafeCSS } from 'lit';
import plotCss from 'uplot/dist/uPlot.min.css?inline';
import { sentenceOf } from '../api/http.js';
import { instant, range, type Series } from '../api/prometheus.js';
import { shared } from '../ui/shared.js';
import { expression, legendOf, shortestStepS, thresholdColors, thresholdOf, type Panel, type Query } from './board.js';
import { Chart, type ChartData } from './chart.js';
import { seriesColor } from './series_colors.js';
import { text, withUnit } from './units.js';
import { boardPanelStyles } from './board_panel_styles.js';

const refreshMs = 5000;
const pointsWanted = 240;
const chromeHeight = 66;
const tableRowsMax = 60;
const lineColors = { green: '#6fd3a3', yellow: '#e8c468', orange: '#f0955c', red: '#f2757a' };

interface Named {
  name: string;
  series: Series;
}

/** One panel of a dashboard; it asks only while it is seen. */
export class BoardPanel extends LitElement {
  static override properties = {
    panel: { attribute: false }, worker: {}, spanS: { type: Number }, shownFailure: {}, rows: { state: true }, failure: { state: true }, at: { state: true },
  };
  declare panel: Panel;
  declare worker: string;
  declare spanS: number;
  /** The page above shows this failure for all panels. */
  declare shownFailure: string;
  declare rows: readonly Named[] | undefined;
  declare failure: string;
  /** Index at the pointer. */
  declare at: number | null;
  #chart: Chart | undefined;
  #chartNames = '';
  #data: ChartData | undefined;
  #timer = 0;
  #visible = false;
  #generation = 0;
  readonly #observer = new IntersectionObserver(([entry]) => this.#see(entry?.isIntersecting ?? false), { rootMargin: '120px' });
  readonly #sizes = new ResizeObserver(() => this.#resize());

  static override styles = [shared, unsafeCSS(plotCss), boardPanelStyles];

  constructor() {
    super();
    this.worker = '.*';
    this.spanS = 900;
    this.failure = this.shownFailure = '';
    this.rows = undefined;
    this.at = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
    this.#sizes.observe(this);
    this.#timer = window.setInterval(() => void this.#ask(), refreshMs);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
    this.#sizes.disconnect();
    clearInterval(this.#timer);
    this.#dropChart();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('worker') && !changed.has('spanS') && !changed.has('panel')) return;
    this.#dropChart();
    this.rows = undefined;
    void this.#ask();
  }

  override render() {
    const { panel, rows } = this;
    return html`
      <div class="title" title=${panel.description ?? ''}><span>${panel.title}</span></div>
      ${this.failure ? html`<div class="note">${this.failure === this.shownFailure ? '–' : this.failure}</div>` : !rows ? html`<div class="note"></div>` : this.#content(rows)}
    `;
  }

  #content(rows: readonly Named[]) {
    const { panel } = this;
    if (panel.type === 'stat') return this.#figures(rows);
    if (panel.type === 'table') return this.#table(rows);
    if (rows.length === 0) return html`<div class="note">no data</div>`;
    return html`<div class="plot"></div>${this.#legend()}`;
  }

  #figures(rows: readonly Named[]) {
    const { unit = 'short', decimals, thresholds } = this.panel.fieldConfig?.defaults ?? {};
    if (rows.length === 0) return html`<div class="figures"><div class="figure">–</div></div>`;
    return html`<div class="figures">
      ${rows.map(({ name, series }) => {
        const value = series.values.at(-1) ?? NaN;
        const [number, suffix] = withUnit(value, unit, decimals);
        const color = thresholds && Number.isFinite(value) ? thresholdOf(thresholds.steps, value) : 'green';
        const paint = this.panel.options?.colorMode === 'background' || color !== 'green' ? thresholdColors[color] : 'var(--text)';
        return html`<div class="figure" style="color:${paint}">${number} <small>${suffix}</small>${rows.length > 1 ? html`<em>${name}</em>` : nothing}</div>`;
      })}
    </div>`;
  }

  #table(rows: readonly Named[]) {
    const { unit = 'short', decimals, noValue } = this.panel.fieldConfig?.defaults ?? {};
    if (rows.length === 0) return html`<div class="note">${noValue ?? 'none'}</div>`;
    return html`<div class="scroll">
      <table>
        ${rows.slice(0, tableRowsMax).map(({ name, series }) => html`<tr><td>${name || Object.values(series.labels).join(' ')}</td><td class="number">${text(series.values.at(-1) ?? NaN, unit, decimals)}</td></tr>`)}
      </table>
    </div>`;
  }

  #legend() {
    const { unit = 'short', decimals } = this.panel.fieldConfig?.defaults ?? {};
    const data = this.#data!;
    const last = this.at ?? data.timesS.length - 1;
    return html`<div class="legend">
      ${data.names.map((name, i) => html`<span><i style="background:${seriesColor(i)}"></i>${name} <b>${text(data.columns[i]![last] ?? NaN, unit, decimals)}</b></span>`)}
    </div>`;
  }

  override updated(): void {
    const place = this.renderRoot.querySelector<HTMLElement>('.plot');
    if (!place || !this.#data) return this.#dropChart();
    const names = this.#data.names.join('\n');
    if (this.#chart && names === this.#chartNames && place.firstChild) return;
    this.#dropChart();
    this.#chartNames = names;
    const { unit = 'short', min, max, custom, thresholds } = this.panel.fieldConfig?.defaults ?? {};
    const lines = (thresholds?.steps ?? []).flatMap(({ value, color }) => (value === null ? [] : [{ value, color: lineColors[color] }]));
    this.#chart = new Chart(
      place, { width: place.clientWidth, height: this.#plotHeight() }, this.#data,
      { unit, min, max, stacked: custom?.stacking?.mode === 'normal', fillOpacity: custom?.fillOpacity ?? 0, lines },
      'board', (index) => (this.at = index),
    );
  }

  async #ask(): Promise<void> {
    if (!this.#visible || document.hidden || !this.isConnected) return;
    const generation = ++this.#generation;
    try {
      const answers = await Promise.all((this.panel.targets ?? []).map((query) => this.#answer(query)));
      if (generation !== this.#generation) return;
      const rows = answers.flat();
      if (this.panel.type === 'timeseries') {
        this.#data = joined(rows);
        if (this.#data.names.join('\n') === this.#chartNames) this.#chart?.set(this.#data);
      }
      this.rows = rows;
      this.failure = '';
    } catch (error) {
      if (generation === this.#generation) this.failure = sentenceOf(error);
    }
  }

  async #answer(query: Query): Promise<Named[]> {
    const stepS = Math.max(shortestStepS(query), Math.ceil(this.spanS / pointsWanted));
    const asked = expression(query, { worker: this.worker, stepS });
    const nowS = Math.floor(Date.now() / 1000 / stepS) * stepS;
    const found = this.panel.type === 'timeseries' ? await range(asked, nowS - this.spanS, nowS, stepS) : await instant(asked);
    return found.map((series) => ({ name: legendOf(query, series.labels), series }));
  }

  #see(visible: boolean): void {
    const appeared = visible && !this.#visible;
    this.#visible = visible;
    if (appeared) void this.#ask();
  }

  #plotHeight(): number {
    return Math.max(40, this.clientHeight - chromeHeight);
  }

  #resize(): void {
    const place = this.renderRoot.querySelector<HTMLElement>('.plot');
    if (place) this.#chart?.resize(place.clientWidth, this.#plotHeight());
  }

  #dropChart(): void {
    this.#chart?.end();
    this.#chart = undefined;
    this.#chartNames = '';
  }
}
customElements.define('board-panel', BoardPanel);

/** All series on the times of all of them. */
function joined(rows: readonly Named[]): ChartData {
  const timesS = [...new Set(rows.flatMap(({ series }) => series.times))].sort((a, b) => a - b);
  const columns = rows.map(({ series }) => {
    const values = new Map(series.times.map((at, i) => [at, series.values[i]!]));
    return timesS.map((at) => {
      const value = values.get(at);
      return value === undefined || !Number.isFinite(value) ? null : value;
    });
  });
  return { names: rows.map(({ name }) => name), timesS, columns };
}

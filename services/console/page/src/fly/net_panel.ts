import { LitElement, css, html } from 'lit';
import type { NetGraph } from '@perigee/client';
import { fixed, ms } from '../ui/format.js';
import { shared } from '../ui/shared.js';
import type { Cockpit } from './cockpit.js';
import { hud } from './hud.js';

const sampleMs = 50;
const samplesShown = 200;
const samplesOfASecond = 20;
const graphHeight = 92;
const barsHeight = 34;
const colors = {
  rtt: '#8fb6ff', jitter: 'rgb(143 182 255 / 22%)', bytes: 'rgb(150 170 205 / 38%)', loss: '#f2757a',
  correction: '#e8c468', line: 'rgb(150 170 205 / 14%)', text: '#66728a',
};

/** The connection over the last ten seconds. */
export class NetPanel extends LitElement {
  static override properties = { cockpit: { attribute: false } };
  declare cockpit: Cockpit;
  #topMs = 60;
  /** Of the canvas: to ask for it in each update would lay out the page each time. */
  #width = 0;
  readonly #sizes = new ResizeObserver(([entry]) => (this.#width = entry?.contentRect.width ?? 0));

  static override styles = [
    shared,
    hud,
    css`
      .figures {
        display: grid;
        grid-template-columns: 1.25fr 1fr 1fr;
        gap: 8px 12px;
      }
      .eye .figure {
        color: var(--accent);
      }
      .eye.slow .figure {
        color: var(--warn);
      }
      canvas {
        display: block;
        width: 100%;
        height: ${graphHeight + barsHeight}px;
        margin: 10px 0 7px;
      }
      .row {
        display: flex;
        justify-content: space-between;
        gap: 8px;
        font-size: 11px;
        color: var(--text-soft);
        font-variant-numeric: tabular-nums;
      }
      .row + .row {
        margin-top: 2px;
      }
      b {
        font-weight: 500;
        color: var(--text);
      }
      i {
        display: inline-block;
        width: 7px;
        height: 7px;
        margin-right: 4px;
        border-radius: 2px;
      }
    `,
  ];

  override render() {
    const { cockpit } = this;
    const telemetry = cockpit.telemetry;
    const graph = cockpit.session.end ? undefined : cockpit.session.client.netGraph();
    const last = graph ? sums(graph) : undefined;
    const { medianMs, lastMs } = cockpit.reaction;
    return html`<section class="panel" aria-label="Net graph">
      <div class="figures">
        <div class="eye ${medianMs > 120 ? 'slow' : ''}" title="From a move key to the first frame that shows its effect: median of the last keys">
          <div class="label">input to eye</div>
          <div class="figure" id="eye">${ms(medianMs)} <small>ms</small></div>
          <div class="label">${Number.isNaN(lastMs) ? 'press W A S D' : html`last ${ms(lastMs)} ms`}</div>
        </div>
        <div>
          <div class="label">ping</div>
          <div class="figure" id="rtt">${ms(telemetry?.rttMs)} <small>ms</small></div>
          <div class="label">± ${ms(telemetry?.jitterMs)} ms</div>
        </div>
        <div>
          <div class="label">corrections</div>
          <div class="figure" id="corrections">${fixed(telemetry?.corrections)}</div>
          <div class="label">${telemetry?.corrections ? html`up to ${fixed(telemetry.largestCorrectionM, 2)} m` : 'over 5 cm'}</div>
        </div>
      </div>
      <canvas></canvas>
      <div class="row">
        <span><i style="background:${colors.bytes}"></i><b>${fixed(last?.inKB, 1)}</b> in <b>${fixed(last?.outKB, 1)}</b> out kB/s</span>
        <span><i style="background:${colors.loss}"></i>loss <b>${fixed(last?.lossPercent, 1)} %</b></span>
      </div>
      <div class="row">
        <span>lead <b>${ms(telemetry?.leadMs)} ms</b></span>
        <span>full loop <b>${ms(telemetry?.fullLoopMs)} ms</b></span>
      </div>
    </section>`;
  }

  override firstUpdated(): void {
    this.#sizes.observe(this.renderRoot.querySelector('canvas')!);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  /** As they are now. */
  show(part: 'figures' | 'graph'): void {
    if (part === 'figures') {
      this.requestUpdate();
      return;
    }
    const canvas = this.renderRoot.querySelector('canvas');
    if (!canvas || this.cockpit.session.end) return;
    this.#draw(canvas, this.cockpit.session.client.netGraph());
  }

  #draw(canvas: HTMLCanvasElement, graph: NetGraph): void {
    const ratio = devicePixelRatio;
    const [width, height] = [this.#width, graphHeight + barsHeight];
    if (width === 0) return;
    if (canvas.width !== width * ratio) canvas.width = width * ratio;
    if (canvas.height !== height * ratio) canvas.height = height * ratio;
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const first = Math.max(0, graph.count - samplesShown);
    const x = (i: number) => width - (graph.count - i) * (width / samplesShown);
    let most = 40;
    let mostBytes = 400;
    for (let i = first; i < graph.count; ++i) {
      most = Math.max(most, graph.rttMs[i]! + graph.jitterMs[i]!);
      mostBytes = Math.max(mostBytes, graph.bytesReceived[i]!);
    }
    this.#topMs += (most * 1.15 - this.#topMs) * 0.25;
    const y = (value: number) => graphHeight - (value / this.#topMs) * (graphHeight - 8);
    scale(context, width, this.#topMs, y);
    context.beginPath();
    for (let i = first; i < graph.count; ++i) context.lineTo(x(i), y(graph.rttMs[i]! + graph.jitterMs[i]!));
    for (let i = graph.count - 1; i >= first; --i) context.lineTo(x(i), y(Math.max(0, graph.rttMs[i]! - graph.jitterMs[i]!)));
    context.fillStyle = colors.jitter;
    context.fill();
    context.beginPath();
    for (let i = first; i < graph.count; ++i) context.lineTo(x(i), y(graph.rttMs[i]!));
    context.strokeStyle = colors.rtt;
    context.lineWidth = 1.4;
    context.stroke();
    const step = width / samplesShown;
    const bar = (i: number) => {
      const tall = (graph.bytesReceived[i]! / mostBytes) * (barsHeight - 4);
      context.rect(x(i), height - tall, Math.max(step - 0.5, 0.7), tall);
    };
    // A path for each colour: to choose a colour for each bar takes longer than the bars.
    context.beginPath();
    for (let i = first; i < graph.count; ++i) if (graph.packetsLost[i] === 0) bar(i);
    context.fillStyle = colors.bytes;
    context.fill();
    context.beginPath();
    for (let i = first; i < graph.count; ++i) {
      if (graph.packetsLost[i] === 0) continue;
      bar(i);
      context.rect(x(i), height - barsHeight + 2, Math.max(step, 1), 3);
    }
    context.fillStyle = colors.loss;
    context.fill();
    context.beginPath();
    for (let i = first; i < graph.count; ++i) if (graph.corrections[i] !== 0) context.rect(x(i), 0, 1.5, graphHeight);
    context.fillStyle = colors.correction;
    context.fill();
  }
}
customElements.define('net-panel', NetPanel);

function scale(context: CanvasRenderingContext2D, width: number, topMs: number, y: (value: number) => number): void {
  const step = [10, 20, 50, 100, 200, 500, 1000].find((each) => topMs / each < 4) ?? 2000;
  context.font = '10px Inter, system-ui, sans-serif';
  context.fillStyle = colors.text;
  for (let value = step; value < topMs; value += step) {
    context.strokeStyle = colors.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, Math.round(y(value)) + 0.5);
    context.lineTo(width, Math.round(y(value)) + 0.5);
    context.stroke();
    context.fillText(`${value} ms`, 1, y(value) - 3);
  }
}

/** Over the last second. */
function sums(graph: NetGraph): { inKB: number; outKB: number; lossPercent: number } {
  let [received, sent, packets, lost] = [0, 0, 0, 0];
  const first = Math.max(0, graph.count - samplesOfASecond);
  for (let i = first; i < graph.count; ++i) {
    received += graph.bytesReceived[i]!;
    sent += graph.bytesSent[i]!;
  }
  for (let i = Math.max(0, graph.count - samplesShown); i < graph.count; ++i) {
    packets += graph.packetsReceived[i]!;
    lost += graph.packetsLost[i]!;
  }
  const seconds = Math.max((graph.count - first) * sampleMs, sampleMs) / 1000;
  return {
    inKB: received / seconds / 1000, outKB: sent / seconds / 1000,
    lossPercent: packets + lost === 0 ? 0 : (100 * lost) / (packets + lost),
  };
}

/** A panel's lines, drawn by uPlot. */
import uPlot from 'uplot';
import { axisText } from './units.js';
import { seriesColor } from './series_colors.js';

export interface ChartData {
  names: string[];
  timesS: number[];
  /** For each name, one value at each time; null: none. */
  columns: (number | null)[][];
}

export interface ChartStyle {
  unit: string;
  min: number | undefined;
  max: number | undefined;
  stacked: boolean;
  fillOpacity: number;
  /** Values at which an alert or an advice begins. */
  lines: { value: number; color: string }[];
}

const axisColor = '#66728a';
const gridColor = 'rgba(150, 170, 205, 0.09)';
const font = '10px Inter, system-ui, sans-serif';

export class Chart {
  readonly #plot: uPlot;
  readonly #style: ChartStyle;

  /** `onCursor`: the index that the pointer is at; null: it is elsewhere. */
  constructor(
    place: HTMLElement, size: { width: number; height: number }, data: ChartData, style: ChartStyle,
    sync: string, onCursor: (index: number | null) => void,
  ) {
    this.#style = style;
    const stacked = style.stacked;
    this.#plot = new uPlot(
      {
        ...size,
        legend: { show: false },
        cursor: { sync: { key: sync }, points: { size: 5 }, drag: { x: false, y: false } },
        scales: {
          x: { time: true },
          y: { range: (_, low, high) => this.#range(low, high) },
        },
        axes: [
          { stroke: axisColor, grid: { stroke: gridColor, width: 1 }, ticks: { show: false }, font, size: 20, space: 64,
            values: (_, times) => times.map(clockOf) },
          {
            stroke: axisColor, grid: { stroke: gridColor, width: 1 }, ticks: { show: false }, font, size: 56, space: 28, gap: 4,
            values: (_, values) => values.map((value) => axisText(value, style.unit)),
          },
        ],
        series: [
          {},
          ...data.names.map((label, i) => {
            const color = seriesColor(i);
            return {
              label, stroke: color, width: 1.3, points: { show: false }, spanGaps: false,
              fill: fillOf(color, style.fillOpacity, stacked),
            };
          }),
        ],
        hooks: {
          drawClear: [(plot) => this.#drawLines(plot)],
          setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)],
        },
        ...(stacked ? { bands: data.names.slice(1).map((_, i) => ({ series: [i + 2, i + 1] as [number, number] })) } : {}),
      },
      aligned(data, stacked),
      place,
    );
  }

  set(data: ChartData): void {
    this.#plot.setData(aligned(data, this.#style.stacked));
  }

  resize(width: number, height: number): void {
    this.#plot.setSize({ width, height });
  }

  end(): void {
    this.#plot.destroy();
  }

  #range(low: number | null, high: number | null): [number, number] {
    const { min, max, lines } = this.#style;
    const bottom = min ?? Math.min(low ?? 0, 0);
    let top = Math.max(high ?? 0, bottom) || 1;
    // A threshold is shown if the values come near it.
    for (const { value } of lines) if (value > top && value < top * 1.8) top = value;
    return [bottom, max === undefined ? top * 1.08 : Math.max(max, top)];
  }

  #drawLines(plot: uPlot): void {
    const { ctx: context, bbox } = plot;
    for (const { value, color } of this.#style.lines) {
      const y = plot.valToPos(value, 'y', true);
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      context.save();
      context.strokeStyle = color;
      context.globalAlpha = 0.6;
      context.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
      context.beginPath();
      context.moveTo(bbox.left, y);
      context.lineTo(bbox.left + bbox.width, y);
      context.stroke();
      context.restore();
    }
  }
}

function clockOf(timeS: number): string {
  const at = new Date(timeS * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return at.getSeconds() === 0 ? minutes : `${minutes}:${two(at.getSeconds())}`;
}

function fillOf(color: string, percent: number, stacked: boolean): string {
  const alpha = Math.round((stacked ? 0.32 : percent / 100) * 255).toString(16).padStart(2, '0');
  return color + alpha;
}

/** Stacked areas: each is the sum of those before it and itself. */
function aligned({ timesS, columns }: ChartData, stacked: boolean): uPlot.AlignedData {
  if (!stacked) return [timesS, ...columns];
  const sums = timesS.map(() => 0);
  const stacks = columns.map((column) => column.map((value, i) => (sums[i]! += value ?? 0)));
  return [timesS, ...stacks];
}

/** Draws the last seconds of a flight on a canvas: error, corrections, inputs. */
import { causeOf } from './causes.js';
import { ticksPerS, visibleM, type FlightModel } from './flight_model.js';

export const timelineHeight = 232;
const markTop = 6;
const errorTop = 24;
const errorBottom = 132;
const lanesTop = 148;
const laneHeight = 8;
const laneGap = 5;
export const leftPx = 54;
export const rightPx = 16;
const topM = 10;
const bottomM = 0.001;
const colors = {
  grid: 'rgb(150 170 205 / 10%)', text: '#66728a', line: '#8fb6ff', threshold: 'rgb(232 196 104 / 45%)',
  key: '#8fb6ff', button: '#c9a2ff', guessed: '#f2757a', lane: 'rgb(150 170 205 / 6%)',
};
const font = '10px Inter, ui-sans-serif, system-ui, sans-serif';
const levels: readonly [number, string][] = [[10, '10 m'], [1, '1 m'], [0.1, '10 cm'], [0.01, '1 cm'], [0.001, '1 mm']];

interface Lane {
  title: string;
  color: string;
  /** -1 to 1; 0: nothing is drawn. */
  value: (row: number) => number;
}

/** Logarithmic: 1 mm at the bottom. */
function height(errorM: number): number {
  const share = Math.log10(Math.max(errorM, bottomM) / bottomM) / Math.log10(topM / bottomM);
  return errorBottom - Math.min(share, 1) * (errorBottom - errorTop);
}

export function xOf(model: FlightModel, row: number, width: number): number {
  return leftPx + (row / Math.max(model.count - 1, 1)) * (width - leftPx - rightPx);
}

export function rowAt(model: FlightModel, x: number, width: number): number {
  const share = (x - leftPx) / Math.max(width - leftPx - rightPx, 1);
  return Math.max(0, Math.min(model.count - 1, Math.round(share * (model.count - 1))));
}

export function paint(context: CanvasRenderingContext2D, model: FlightModel, width: number): void {
  context.clearRect(0, 0, width, timelineHeight);
  context.font = font;
  grid(context, model, width);
  error(context, model, width);
  lanes(context, model, width);
  marks(context, model, width);
}

function grid(context: CanvasRenderingContext2D, model: FlightModel, width: number): void {
  context.lineWidth = 1;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const [value, title] of levels) {
    const y = Math.round(height(value)) + 0.5;
    line(context, leftPx, y, width - rightPx, y, colors.grid);
    context.fillStyle = colors.text;
    context.fillText(title, leftPx - 8, y);
  }
  context.setLineDash([3, 4]);
  const y = Math.round(height(visibleM)) + 0.5;
  line(context, leftPx, y, width - rightPx, y, colors.threshold);
  context.setLineDash([]);
  const seconds = (model.count - 1) / ticksPerS;
  const step = [0.5, 1, 2, 5, 10].find((each) => seconds / each <= 12) ?? 10;
  context.textAlign = 'center';
  for (let age = 0; age <= seconds + 1e-6; age += step) {
    const x = Math.round(xOf(model, model.count - 1 - age * ticksPerS, width)) + 0.5;
    if (x < leftPx) break;
    line(context, x, errorTop, x, timelineHeight - 14, colors.grid);
    context.fillStyle = colors.text;
    context.textAlign = age === 0 ? 'right' : 'center';
    context.fillText(age === 0 ? 'newest' : `−${age} s`, age === 0 ? x + 8 : x, timelineHeight - 6);
  }
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number, color: string): void {
  context.strokeStyle = color;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/** The largest error of each pixel column, so that no peak is lost. */
function error(context: CanvasRenderingContext2D, model: FlightModel, width: number): void {
  if (model.compared === 0) return;
  const outline = new Path2D();
  let started = false;
  let lastX = 0;
  const columns = Math.max(Math.floor(width - leftPx - rightPx), 1);
  for (let column = 0; column <= columns; ++column) {
    const from = Math.floor((column / (columns + 1)) * model.count);
    const to = Math.max(from + 1, Math.floor(((column + 1) / (columns + 1)) * model.count));
    let most = Number.NaN;
    for (let row = from; row < Math.min(to, model.count); ++row) {
      const errorM = model.errorM[row]!;
      if (!(errorM <= most)) most = Number.isNaN(errorM) ? most : errorM;
    }
    if (Number.isNaN(most)) continue;
    lastX = leftPx + column;
    if (started) outline.lineTo(lastX, height(most));
    else outline.moveTo(lastX, height(most));
    started = true;
  }
  const area = new Path2D(outline);
  area.lineTo(lastX, errorBottom);
  area.lineTo(leftPx, errorBottom);
  area.closePath();
  const fill = context.createLinearGradient(0, errorTop, 0, errorBottom);
  fill.addColorStop(0, 'rgb(143 182 255 / 42%)');
  fill.addColorStop(1, 'rgb(143 182 255 / 4%)');
  context.fillStyle = fill;
  context.fill(area);
  context.strokeStyle = colors.line;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.stroke(outline);
}

function lanesOf(model: FlightModel): Lane[] {
  const { right, up, forward, held, pressed, guessed } = model.flight.rows;
  const axis = (values: readonly number[]) => (row: number) => values[row]! / 127;
  const down = (mask: number) => (row: number) => ((held[row]! | pressed[row]!) & mask ? 1 : 0);
  return [
    { title: 'ahead', color: colors.key, value: axis(forward) },
    { title: 'side', color: colors.key, value: axis(right) },
    { title: 'up', color: colors.key, value: (row) => up[row]! / 127 || down(1 | 4)(row) },
    { title: 'act', color: colors.button, value: down(16 | 32 | 64 | 128) },
    { title: 'guessed', color: colors.guessed, value: (row) => guessed[row]! },
  ];
}

function lanes(context: CanvasRenderingContext2D, model: FlightModel, width: number): void {
  let y = lanesTop;
  for (const { title, color, value } of lanesOf(model)) {
    context.fillStyle = colors.lane;
    context.fillRect(leftPx, y, width - leftPx - rightPx, laneHeight);
    context.fillStyle = colors.text;
    context.textAlign = 'right';
    context.fillText(title, leftPx - 8, y + laneHeight / 2);
    context.fillStyle = color;
    for (let row = 0; row < model.count; ) {
      const now = value(row);
      let end = row + 1;
      while (end < model.count && value(end) === now) ++end;
      if (now !== 0) {
        context.globalAlpha = now < 0 ? 0.42 : 0.9;
        const x = xOf(model, row - 0.5, width);
        context.fillRect(x, y, Math.max(xOf(model, end - 0.5, width) - x, 1.5), laneHeight);
      }
      row = end;
    }
    context.globalAlpha = 1;
    y += laneHeight + laneGap;
  }
}

function marks(context: CanvasRenderingContext2D, model: FlightModel, width: number): void {
  for (const correction of model.corrections) {
    const x = xOf(model, model.rowOf(correction.at), width);
    const { color } = causeOf(correction.cause ?? correction.noted);
    const stem = context.createLinearGradient(0, markTop, 0, errorBottom);
    stem.addColorStop(0, color);
    stem.addColorStop(1, 'transparent');
    context.fillStyle = stem;
    context.fillRect(x - 0.75, markTop + 6, 1.5, errorBottom - markTop - 6);
    const size = Math.min(3 + Math.sqrt(correction.meters) * 3, 7);
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(x, markTop + 6 + size);
    context.lineTo(x - size, markTop + 6);
    context.lineTo(x, markTop + 6 - size);
    context.lineTo(x + size, markTop + 6);
    context.closePath();
    context.fill();
  }
}

export function paintCursor(
  context: CanvasRenderingContext2D, model: FlightModel, row: number, width: number,
): void {
  context.clearRect(0, 0, width, timelineHeight);
  const x = Math.round(xOf(model, row, width)) + 0.5;
  context.lineWidth = 1;
  line(context, x, 2, x, timelineHeight - 14, 'rgb(223 230 241 / 75%)');
  const errorM = model.errorAt(row);
  if (Number.isNaN(errorM)) return;
  context.beginPath();
  context.arc(x, height(errorM), 4, 0, 2 * Math.PI);
  context.fillStyle = '#07090d';
  context.fill();
  context.strokeStyle = '#dfe6f1';
  context.lineWidth = 2;
  context.stroke();
}

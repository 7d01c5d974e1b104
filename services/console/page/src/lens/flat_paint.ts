/** Both paths from above and from the side, without WebGL. */
import type { FlightModel } from './flight_model.js';
import { pathColors } from './path_colors.js';

const shownTicks = 240;

export function paintFlat(context: CanvasRenderingContext2D, model: FlightModel, row: number, width: number, height: number): void {
  context.clearRect(0, 0, width, height);
  const [believed, server] = [new Float32Array(3 * model.count), new Float32Array(3 * model.count)];
  model.pathFrom(row, model.believed, model.believedLocal, believed);
  model.pathFrom(row, model.server, model.serverLocal, server);
  const half = width / 2;
  view(context, 'from above', believed, server, row, 0, 2, { left: 0, width: half, height });
  view(context, 'from the side', believed, server, row, 0, 1, { left: half, width: half, height });
}

interface Box {
  left: number;
  width: number;
  height: number;
}

function view(
  context: CanvasRenderingContext2D, title: string, believed: Float32Array, server: Float32Array, row: number,
  across: number, upward: number, box: Box,
): void {
  const middle = [0, 1].map((k) => {
    const axis = k === 0 ? across : upward;
    const known = [server, believed].map((path) => path[3 * row + axis]!).filter((value) => !Number.isNaN(value));
    return known.reduce((sum, value) => sum + value, 0) / Math.max(known.length, 1);
  });
  let reachM = 1;
  const [from, to] = [Math.max(0, row - shownTicks), Math.min(server.length / 3, row + shownTicks)];
  for (const path of [believed, server]) {
    for (let i = from; i < to; ++i) {
      const away = Math.max(Math.abs(path[3 * i + across]! - middle[0]!), Math.abs(path[3 * i + upward]! - middle[1]!));
      if (away > reachM) reachM = away;
    }
  }
  const scale = Math.min(box.width, box.height) / 2.4 / reachM;
  const x = (path: Float32Array, i: number) => box.left + box.width / 2 + (path[3 * i + across]! - middle[0]!) * scale;
  const y = (path: Float32Array, i: number) => box.height / 2 - (path[3 * i + upward]! - middle[1]!) * scale;
  context.save();
  context.beginPath();
  context.rect(box.left, 0, box.width, box.height);
  context.clip();
  context.font = '11px Inter, ui-sans-serif, system-ui, sans-serif';
  context.fillStyle = '#66728a';
  context.fillText(`${title}, ${(2 * reachM).toFixed(1)} m`, box.left + 16, box.height - 36);
  for (const [path, color] of [[server, pathColors.server], [believed, pathColors.believed]] as const) {
    context.beginPath();
    for (let i = from; i < to; ++i) if (!Number.isNaN(path[3 * i]!)) context.lineTo(x(path, i), y(path, i));
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.stroke();
    context.beginPath();
    context.arc(x(path, row), y(path, row), 5, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.fill();
  }
  context.beginPath();
  context.moveTo(x(believed, row), y(believed, row));
  context.lineTo(x(server, row), y(server, row));
  context.strokeStyle = pathColors.error;
  context.lineWidth = 3;
  context.stroke();
  context.restore();
}

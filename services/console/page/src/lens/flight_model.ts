/** A flight in typed arrays, with what the page derives from it. */
import type { Flight, FlightCorrection } from '@perigee/client';

export const ticksPerS = 60;
/** As in the client library: smaller ones are no corrections. */
export const visibleM = 0.05;

/** Columns of places have three values for each row; NaN: not known. */
export class FlightModel {
  readonly flight: Flight;
  readonly first: number;
  readonly count: number;
  readonly server: Float64Array;
  /** As predicted first; without the client's half, as its packets claimed it. */
  readonly believed: Float64Array;
  /** In the frame of the row's parent. */
  readonly serverLocal: Float64Array;
  readonly believedLocal: Float64Array;
  readonly parentPose: Float64Array;
  readonly parent: Int32Array;
  readonly errorM: Float32Array;
  /** Rows with an error, from which a quantile is taken. */
  readonly compared: number;
  readonly hasClient: boolean;
  readonly hasServer: boolean;

  constructor(flight: Flight) {
    this.flight = flight;
    const { rows } = flight;
    this.first = rows.first;
    this.count = rows.count;
    this.hasClient = flight.halves.some(({ side }) => side === 'client');
    this.hasServer = flight.halves.some(({ side }) => side === 'worker');
    this.server = places(rows.serverM);
    this.believed = places(this.hasClient ? rows.predictedM : rows.claimedM);
    this.parentPose = Float64Array.from(rows.parentPose);
    this.parent = Int32Array.from(rows.serverParent, (parent, i) => (parent >= 0 ? parent : rows.clientParent[i]!));
    this.serverLocal = this.#locals(this.server);
    this.believedLocal = this.#locals(this.believed);
    this.errorM = new Float32Array(this.count);
    let compared = 0;
    for (let i = 0; i < this.count; ++i) {
      this.errorM[i] = distance(this.server, this.believed, i);
      if (!Number.isNaN(this.errorM[i]!)) ++compared;
    }
    this.compared = compared;
  }

  get corrections(): readonly FlightCorrection[] {
    return this.flight.corrections;
  }
  tickOf(row: number): number {
    return (this.first + row) >>> 0;
  }
  rowOf(tick: number): number {
    return Math.max(0, Math.min(this.count - 1, (tick - this.first) | 0));
  }
  /** Seconds before the end. */
  ageS(row: number): number {
    return (this.count - 1 - row) / ticksPerS;
  }

  /** Where the error of a correction is largest, before it was noticed. */
  rowOfCorrection({ at, parted }: FlightCorrection): number {
    const end = this.rowOf(at - 1);
    const begin = parted === undefined ? end : Math.min(this.rowOf(parted), end);
    let best = end;
    for (let row = begin; row <= end; ++row) {
      const known = this.errorM[row]!;
      if (known > (this.errorM[best]! || 0)) best = row;
    }
    return best;
  }

  /** The newest row that both sides have: predictions run ahead of the server. */
  get newestShared(): number {
    for (let row = this.count - 1; row >= 0; --row) if (!Number.isNaN(this.errorM[row]!)) return row;
    return this.count - 1;
  }

  /** The newest known error at or before the row: not each tick has a claim. */
  errorAt(row: number): number {
    for (let i = row; i >= Math.max(0, row - 8); --i) if (!Number.isNaN(this.errorM[i]!)) return this.errorM[i]!;
    return Number.NaN;
  }

  /** A path as seen from the parent at `row`; `out` has three values for each row. */
  pathFrom(row: number, world: Float64Array, local: Float64Array, out: Float32Array): void {
    const parent = this.parent[row]!;
    for (let i = 0; i < this.count; ++i) {
      if (this.parent[i] === parent) {
        for (let k = 0; k < 3; ++k) out[3 * i + k] = local[3 * i + k]!;
      } else {
        intoFrame(this.parentPose, row, world, i, out);
      }
    }
  }

  #locals(world: Float64Array): Float64Array {
    const out = new Float64Array(world.length);
    for (let i = 0; i < this.count; ++i) intoFrame(this.parentPose, i, world, i, out);
    return out;
  }
}

function places(values: readonly (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

function distance(a: Float64Array, b: Float64Array, row: number): number {
  const at = 3 * row;
  return Math.hypot(a[at]! - b[at]!, a[at + 1]! - b[at + 1]!, a[at + 2]! - b[at + 2]!);
}

/** out[i] = the inverse of pose[frame], applied to world[i]. */
function intoFrame(
  pose: Float64Array, frame: number, world: Float64Array, i: number, out: Float32Array | Float64Array,
): void {
  const p = 7 * frame;
  const [x, y, z] = [
    world[3 * i]! - pose[p]!, world[3 * i + 1]! - pose[p + 1]!, world[3 * i + 2]! - pose[p + 2]!,
  ];
  const [qx, qy, qz, qw] = [-pose[p + 3]!, -pose[p + 4]!, -pose[p + 5]!, pose[p + 6]!];
  const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
  out[3 * i] = x + qw * tx + qy * tz - qz * ty;
  out[3 * i + 1] = y + qw * ty + qz * tx - qx * tz;
  out[3 * i + 2] = z + qw * tz + qx * ty - qy * tx;
}

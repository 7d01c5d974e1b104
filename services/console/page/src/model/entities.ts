/** Entities of the observation stream: one row of typed arrays for each. */

/** Flags of a record: see proto/sim.proto. */
export const ghostFlag = 1;
export const restingFlag = 2;
export const actorFlag = 4;

/** An entity at rest is in one of ten observations. */
const forgottenAfterMs = 2000;
const recordBytes = 32;
const headBytes = 8;
const rotationUnit = 1 / 32767;
const rowsAtFirst = 1024;

/** Rows 0 to `count` - 1 are in use; a row changes its number when others are forgotten. */
export class Rows {
  count = 0;
  handle = new Uint32Array(rowsAtFirst);
  parent = new Uint32Array(rowsAtFirst);
  type = new Uint16Array(rowsAtFirst);
  flags = new Uint16Array(rowsAtFirst);
  /** Of the worker that sent it. */
  slot = new Uint8Array(rowsAtFirst);
  seenMs = new Float64Array(rowsAtFirst);
  /** x, y, z and rotation x, y, z, w of the newest observation and of the one before. */
  pose = new Float32Array(rowsAtFirst * 7);
  before = new Float32Array(rowsAtFirst * 7);
  /** When the newest one arrived, and how long after the one before. */
  movedMs = new Float32Array(rowsAtFirst);
  stepMs = new Float32Array(rowsAtFirst);
  readonly #at = new Map<number, number>();

  find(key: number): number | undefined {
    return this.#at.get(key);
  }

  /** The row of `key`, a new one if there is none. */
  row(key: number, handle: number): number {
    let row = this.#at.get(key);
    if (row !== undefined) return row;
    row = this.count++;
    if (row === this.handle.length) this.#grow();
    this.#at.set(key, row);
    this.handle[row] = handle;
    this.stepMs[row] = 0;
    this.seenMs[row] = 0;
    return row;
  }

  /** Forgets rows that were in no observation for long; `keyOf` as for row(). */
  forget(nowMs: number, keyOf: (row: number) => number): void {
    for (let row = this.count - 1; row >= 0; --row) {
      if (nowMs - this.seenMs[row]! > forgottenAfterMs) this.#remove(row, keyOf);
    }
  }

  clear(): void {
    this.count = 0;
    this.#at.clear();
  }

  #remove(row: number, keyOf: (row: number) => number): void {
    const last = this.count - 1;
    this.#at.delete(keyOf(row));
    if (row !== last) {
      this.#at.set(keyOf(last), row);
      for (const column of [
        this.handle, this.parent, this.type, this.flags, this.slot, this.seenMs, this.movedMs, this.stepMs,
      ]) {
        column[row] = column[last]!;
      }
      this.pose.copyWithin(row * 7, last * 7, last * 7 + 7);
      this.before.copyWithin(row * 7, last * 7, last * 7 + 7);
    }
    this.count = last;
  }

  #grow(): void {
    const twice = <T extends Uint32Array | Uint16Array | Uint8Array | Float32Array | Float64Array>(column: T): T => {
      const grown = new (column.constructor as new (length: number) => T)(column.length * 2);
      grown.set(column);
      return grown;
    };
    this.handle = twice(this.handle);
    this.parent = twice(this.parent);
    this.type = twice(this.type);
    this.flags = twice(this.flags);
    this.slot = twice(this.slot);
    this.seenMs = twice(this.seenMs);
    this.pose = twice(this.pose);
    this.before = twice(this.before);
    this.movedMs = twice(this.movedMs);
    this.stepMs = twice(this.stepMs);
  }
}

/** An entity that another worker has since an observation. */
export interface Migration {
  atMs: number;
  x: number;
  y: number;
  z: number;
  from: number;
  to: number;
}

const migrationsMax = 256;

export class Entities {
  /** As their owners have them, by handle. */
  readonly owned = new Rows();
  /** As other workers know them, by handle and worker. */
  readonly ghosts = new Rows();
  /** Newest last. */
  readonly migrations: Migration[] = [];
  migrationsSeen = 0;
  /** Observations so far, and when the last one of each worker arrived. */
  observations = 0;
  readonly heardMs = new Map<number, number>();
  /** Changes whenever a row has moved, come or gone. */
  version = 0;
  #sweptMs = 0;

  /** A message of /live: its layout is in services/console/shell/live.hpp. */
  apply(message: ArrayBuffer, nowMs: number): void {
    const view = new DataView(message);
    if (message.byteLength < headBytes || view.getUint8(0) !== 1) return;
    const slot = view.getUint8(1);
    for (let at = headBytes; at + recordBytes <= message.byteLength; at += recordBytes) {
      this.#record(view, at, slot, nowMs);
    }
    ++this.observations;
    ++this.version;
    this.heardMs.set(slot, nowMs);
    if (nowMs - this.#sweptMs > 250) this.sweep(nowMs);
  }

  /** Forgets what is gone. Also needed while no observation arrives. */
  sweep(nowMs: number): void {
    this.#sweptMs = nowMs;
    this.owned.forget(nowMs, (row) => this.owned.handle[row]!);
    this.ghosts.forget(nowMs, (row) => ghostKey(this.ghosts.handle[row]!, this.ghosts.slot[row]!));
    while (this.migrations[0] && nowMs - this.migrations[0].atMs > forgottenAfterMs) this.migrations.shift();
    ++this.version;
  }

  clear(): void {
    this.owned.clear();
    this.ghosts.clear();
    this.migrations.length = 0;
    this.heardMs.clear();
    ++this.version;
  }

  #record(view: DataView, at: number, slot: number, nowMs: number): void {
    const handle = view.getUint32(at, true);
    const flags = view.getUint16(at + 10, true);
    const ghost = (flags & ghostFlag) !== 0;
    const rows = ghost ? this.ghosts : this.owned;
    const row = rows.row(ghost ? ghostKey(handle, slot) : handle, handle);
    const { pose, before } = rows;
    const first = rows.seenMs[row] === 0;
    const place = row * 7;
    for (let i = 0; i < 7; ++i) before[place + i] = pose[place + i]!;
    for (let i = 0; i < 3; ++i) pose[place + i] = view.getFloat32(at + 12 + 4 * i, true);
    for (let i = 0; i < 4; ++i) pose[place + 3 + i] = view.getInt16(at + 24 + 2 * i, true) * rotationUnit;
    if (first) {
      for (let i = 0; i < 7; ++i) before[place + i] = pose[place + i]!;
    } else if (!ghost && rows.slot[row] !== slot) {
      this.#migrated(pose, place, rows.slot[row]!, slot, nowMs);
    }
    rows.parent[row] = view.getUint32(at + 4, true);
    rows.type[row] = view.getUint16(at + 8, true);
    rows.flags[row] = flags;
    rows.slot[row] = slot;
    rows.stepMs[row] = first ? 0 : nowMs - rows.movedMs[row]!;
    rows.movedMs[row] = nowMs;
    rows.seenMs[row] = nowMs;
  }

  #migrated(pose: Float32Array, place: number, from: number, to: number, nowMs: number): void {
    ++this.migrationsSeen;
    this.migrations.push({ atMs: nowMs, x: pose[place]!, y: pose[place + 1]!, z: pose[place + 2]!, from, to });
    if (this.migrations.length > migrationsMax) this.migrations.shift();
  }
}

function ghostKey(handle: number, slot: number): number {
  return handle * 256 + slot;
}

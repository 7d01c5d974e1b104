/** Structs of the module as objects. */
import * as layout from './layout.js';

/** A predicted effect of the own avatar's actions, or of a hit on it; tick and index identify it. */
export interface Cue {
  tick: number;
  index: number;
  /** The game's; Skiff: 1 shot, 2 draw, 3 loose, 4 dig, 5 fill, 6 hit. */
  effect: number;
  /** Another entity involved, e.g. the shooter; 0: none. */
  subject: number;
  /** `played`: play it now. `confirmed`: it happened. `cancelled`: take it back. */
  state: keyof typeof layout.cueStates;
  /** The game's, when confirmed; Skiff: 1 a target was hit. */
  detail: number;
}

/** A cue of another actor, or one that the game ordered: play it now. */
export interface HeardCue {
  /** In which it happened. */
  tick: number;
  /** Of the entity that it belongs to; 0: none. */
  handle: number;
  /** The game's, as of Cue. */
  effect: number;
  /** Another entity involved; 0: none. */
  subject: number;
  /** The game's. */
  detail: number;
  /** Where the entity is rendered now, or a fixed place, in the world. */
  positionM: [number, number, number];
}

/** Ground made of cells. */
export interface Ground {
  /** Cells along x, y and z; cell (0, 0, 0) has its low corner at the entity. */
  size: [number, number, number];
  cellM: number;
  /** Another one whenever a cell may have changed. */
  version: bigint;
}

export interface WorldTime {
  /** False before the server's first block: all others are 0 then. */
  known: boolean;
  /** The own avatar's next tick; 60 per second, times rate. */
  predictedTick: number;
  /** Others are rendered viewTicks after it. */
  viewOriginTick: number;
  viewTicks: number;
  /** Behind the newest server tick that can have arrived. */
  viewDelayS: number;
  /** Of the world's time: 1, or less while its servers are overloaded. */
  rate: number;
}

export interface Telemetry {
  /** Of the network. */
  rttMs: number;
  /** From sampling an input to learning that it was applied. */
  fullLoopMs: number;
  jitterMs: number;
  leadMs: number;
  packets: number;
  packetsLost: number;
  bytesReceived: number;
  /** Visible ones: over 5 cm. */
  corrections: number;
  largestCorrectionM: number;
}

const cueStates = Object.keys(layout.cueStates) as Cue['state'][];

export function readCue(view: DataView, at: number): Cue {
  const field = layout.cue;
  const word = (offset: number) => view.getUint32(at + offset, true);
  return {
    tick: word(field.tick),
    index: word(field.index),
    effect: word(field.effect),
    subject: word(field.subject),
    state: cueStates.find((name) => layout.cueStates[name] === word(field.state)) ?? 'cancelled',
    detail: word(field.detail),
  };
}

export function readHeardCue(view: DataView, at: number): HeardCue {
  const field = layout.heardCue;
  const word = (offset: number) => view.getUint32(at + offset, true);
  const metres = (axis: number) => view.getFloat64(at + field.worldPositionM + 8 * axis, true);
  return {
    tick: word(field.tick),
    handle: word(field.handle),
    effect: word(field.effect),
    subject: word(field.subject),
    detail: word(field.detail),
    positionM: [metres(0), metres(1), metres(2)],
  };
}

export function readGround(view: DataView, at: number): Ground {
  const field = layout.ground;
  const side = (axis: number) => view.getInt32(at + field.size + 4 * axis, true);
  return {
    size: [side(0), side(1), side(2)],
    cellM: view.getFloat64(at + field.cellM, true),
    version: view.getBigUint64(at + field.version, true),
  };
}

export function noTime(): WorldTime {
  return { known: false, predictedTick: 0, viewOriginTick: 0, viewTicks: 0, viewDelayS: 0, rate: 0 };
}

export function readTime(view: DataView, at: number, into: WorldTime): WorldTime {
  const field = layout.time;
  into.known = view.getUint32(at + field.known, true) !== 0;
  into.predictedTick = view.getUint32(at + field.predictedTick, true);
  into.viewOriginTick = view.getUint32(at + field.viewOriginTick, true);
  into.viewTicks = view.getFloat64(at + field.viewTicks, true);
  into.viewDelayS = view.getFloat64(at + field.viewDelayS, true);
  into.rate = view.getFloat64(at + field.rate, true);
  return into;
}

export function noTelemetry(): Telemetry {
  return {
    rttMs: 0, fullLoopMs: 0, jitterMs: 0, leadMs: 0, packets: 0, packetsLost: 0, bytesReceived: 0,
    corrections: 0, largestCorrectionM: 0,
  };
}

/** A 64-bit integer, exact up to 2^53, without a BigInt. */
export function integer(view: DataView, at: number): number {
  return view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
}

export function readTelemetry(view: DataView, at: number, into: Telemetry): Telemetry {
  const field = layout.telemetry;
  into.rttMs = integer(view, at + field.rttUs) / 1000;
  into.fullLoopMs = integer(view, at + field.fullLoopUs) / 1000;
  into.jitterMs = integer(view, at + field.jitterUs) / 1000;
  into.leadMs = integer(view, at + field.leadUs) / 1000;
  into.packets = integer(view, at + field.packets);
  into.packetsLost = integer(view, at + field.packetsLost);
  into.bytesReceived = integer(view, at + field.bytesReceived);
  into.corrections = integer(view, at + field.corrections);
  into.largestCorrectionM = view.getFloat64(at + field.largestCorrectionM, true);
  return into;
}

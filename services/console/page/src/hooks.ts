/**
 * `window.perigee`: what the pages do, as plain values, for tests and for the curious. Its shape is
 * part of docs/console.md.
 */
import { cluster, entities, live } from './app/state.js';

/** Where a ship is drawn, and the own avatar in its frame: as drawn, and as the workers have both. */
export interface ShipHook {
  handle: number;
  type: string;
  positionM: number[];
  /** A quaternion: x, y, z, w. */
  rotation: number[];
  ownM: number[];
  trueOwnM: number[] | undefined;
}

export interface FlyHook {
  /** Of the client library; '' before a player has joined. */
  state: string;
  playerName: string;
  /** From a key to the first frame that shows its effect; NaN before the first key. */
  inputToEyeMs: { last: number; median: number; count: number };
  /** Main thread: the client library, and the whole frame. */
  frameMs: { wasmP50: number; wasmP99: number; totalP50: number; totalP99: number };
  framesPerSecond: number;
  telemetry: { rttMs: number; fullLoopMs: number; jitterMs: number; corrections: number; largestCorrectionM: number };
  /** The own avatar: where it is drawn, in whose frame, and the direction of its look in the world. */
  own: {
    handle: number; positionM: number[]; localM: number[]; yawRad: number; look: number[]; parent: number;
    parentType: string; helm: number; smoothing: boolean;
  } | undefined;
  scene: { entities: number; types: Record<string, number> };
  /** Entities within 400 m that can carry players, the nearest first. */
  ships: ShipHook[];
  /** What the player has done, by the cues of the game. */
  actions: Record<'shots' | 'arrows' | 'digs' | 'fills', { played: number; confirmed: number; cancelled: number }>;
  /** Shots and arrows of the player that hit somebody. */
  hits: number;
  /** Solid cells of the diggable ground that is drawn. */
  solidCells: number;
  /** Entities of the server's truth, and where it has the own avatar. */
  truth: { entities: number; ownPositionM: number[] | undefined };
  /** KEY=VALUE of each technique that differs from the game's. */
  techniques: string[];
  link: string;
  /** The frames in which the green outline was drawn, so far. */
  outlinedFrames: number;
  /** The last killed worker: how long no input was acknowledged; undefined before. */
  gap: { worker: string; successor: string; ms: number; healed: boolean } | undefined;
  split: boolean;
}

export interface WorldHook {
  regions: number;
  workers: number;
  entities: number;
  ghosts: number;
  players: number;
  migrations: number;
  selected: string;
  frameMs: { p50: number; p99: number };
}

export interface LensHook {
  clientId: string;
  /** Whether it is this page's own player. */
  own: boolean;
  live: boolean;
  failure: string;
  /** In the page's replay worker. */
  replayMs: number;
  ticks: number;
  hasClient: boolean;
  hasServer: boolean;
  /** At the cursor. */
  tick: number;
  errorM: number;
  corrections: { at: number; meters: number; noted: string; cause: string }[];
  chosen: { at: number; meters: number; noted: string; cause: string; leftM: number } | undefined;
  bitsDiffer: number;
}

export interface PerigeeHook {
  live: { state: string; observations: number; mapVersion: string };
  fly: FlyHook | undefined;
  world: WorldHook | undefined;
  lens: LensHook | undefined;
}

declare global {
  interface Window {
    perigee: PerigeeHook;
  }
}

let fly: (() => FlyHook) | undefined;
let world: (() => WorldHook) | undefined;
let lens: (() => LensHook) | undefined;

export function begin(): void {
  window.perigee = {
    get live() {
      const { state } = live;
      return { state, observations: entities.observations, mapVersion: cluster.map?.version ?? '' };
    },
    get fly() {
      return fly?.();
    },
    get world() {
      return world?.();
    },
    get lens() {
      return lens?.();
    },
  };
}

/** While the page is shown. */
export function showFly(hook: (() => FlyHook) | undefined): void {
  fly = hook;
}
export function showWorld(hook: (() => WorldHook) | undefined): void {
  world = hook;
}
export function showLens(hook: (() => LensHook) | undefined): void {
  lens = hook;
}

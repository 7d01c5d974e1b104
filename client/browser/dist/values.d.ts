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
export declare function readCue(view: DataView, at: number): Cue;
export declare function readHeardCue(view: DataView, at: number): HeardCue;
export declare function readGround(view: DataView, at: number): Ground;
export declare function noTime(): WorldTime;
export declare function readTime(view: DataView, at: number, into: WorldTime): WorldTime;
export declare function noTelemetry(): Telemetry;
/** A 64-bit integer, exact up to 2^53, without a BigInt. */
export declare function integer(view: DataView, at: number): number;
export declare function readTelemetry(view: DataView, at: number, into: Telemetry): Telemetry;

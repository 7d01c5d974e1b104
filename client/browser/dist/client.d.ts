import { Address } from './address.js';
import { type Input, type InputField } from './input.js';
import type { Flight } from './flight.js';
import type { Library } from './library.js';
import { NetGraph } from './net_graph.js';
import { Scene } from './scene.js';
import { type State } from './state.js';
import { type Cue, type Ground, type HeardCue, type Telemetry, type WorldTime } from './values.js';
/** A datagram to send. */
export interface Outgoing {
    to: Address;
    bytes: Uint8Array<ArrayBuffer>;
}
/**
 * One player's client library. The caller owns connection and clock. Each frame: receive() every
 * datagram that arrived, advance(), pollSend() until it returns nothing, then render scene().
 * Times are milliseconds of any clock that only rises, such as performance.now(). Session does all
 * of this.
 */
export declare class Client {
    #private;
    constructor(library: Library);
    /** Frees its memory. It does not disconnect: first disconnect(), and send all of pollSend(). */
    destroy(): void;
    /** Values for a log-in, besides name and credential. */
    get wireVersion(): number;
    get schemaHash(): bigint;
    /** Connects with a token from the session service. */
    begin(nowMs: number, token: Uint8Array): void;
    /** Handles one datagram. One of another sender, or longer than any of ours, is dropped. */
    receive(nowMs: number, from: Address, datagram: Uint8Array): void;
    /** Runs the due ticks with this input. If none is due, presses are kept for the next tick. */
    advance(nowMs: number, input: Input): void;
    /** The fields that the game adds to inputs. */
    inputFields(): InputField[];
    /** Sets one of them, from the next tick on; a momentary one in that tick alone. */
    setInput(name: string, value: number): void;
    /** Sets all of them: the bytes of the game's struct, little-endian. */
    setOwnInput(fields: Uint8Array): void;
    /** The next datagram to send. */
    pollSend(): Outgoing | undefined;
    /** Disconnects; pollSend() has the packets for it. */
    disconnect(nowMs: number): void;
    get state(): State;
    /** All known entities as rendered now; the same object each time. */
    scene(nowMs: number): Scene;
    /** The game's name for an entity's type. */
    typeName(type: number): string | undefined;
    /** Cues of the last advance(): read them after each. */
    cues(): readonly Cue[];
    /** Cues of others to play now: read them after each advance(). */
    heard(): readonly HeardCue[];
    /**
     * The game's state of an entity of that type: the struct of the game, little-endian. Of the own avatar as
     * predicted, of others the public fields. undefined: it is not known, or the type has none.
     */
    gameState(handle: number, type: number): DataView<ArrayBuffer> | undefined;
    /** The world's state, the same for all clients; undefined: the game has none, or it is not known yet. */
    worldState(): DataView<ArrayBuffer> | undefined;
    /** The name of an actor's player; empty if it is not known. */
    playerName(handle: number): string;
    /**
     * Sends 1 to 1024 bytes to the game on the server, which gets each message once, in order. false: 32 messages
     * are on their way; try again later.
     */
    sendMessage(message: Uint8Array): boolean;
    /** The messages of the game since the last call, in order. Call it after each advance(). */
    takeMessages(): Uint8Array<ArrayBuffer>[];
    /** Of an entity that is ground made of cells; undefined for others. */
    ground(handle: number): Ground | undefined;
    /** 1 for each solid cell of a box, else 0, as predicted: x first, then z, then y. */
    cells(handle: number, low: readonly [number, number, number], size: readonly [number, number, number]): Uint8Array<ArrayBuffer>;
    /** The same object each time. */
    time(): WorldTime;
    /** The same object each time. */
    telemetry(): Telemetry;
    /** The last 12.8 s of the connection; the same object each time. */
    netGraph(): NetGraph;
    /**
     * Sends and receives over a simulated path from now on: a profile of the lab and values that
     * replace its own, e.g. "P5", "P2 loss-permille=50" or "delay-ms=75 jitter-ms=10" (one way);
     * "none" ends it. Datagrams then move once per frame.
     */
    link(nowMs: number, conditions: string): void;
    /** Sets techniques against latency, e.g. "smoothing=none prediction=off"; the others stay. */
    use(techniques: string): void;
    /** Keeps the last `seconds` (1 to 40) of the own avatar from now on; 0 ends it. */
    record(seconds: number): void;
    /** The client's half of a flight recording, as a file; undefined: nothing is recorded yet. */
    recording(): Uint8Array<ArrayBuffer> | undefined;
    /**
     * Reads a flight recording, and the other side's half if there is one: both paths, and the causes
     * of the corrections. Runs ticks again, for up to seconds: call it in a worker. `reruns`: compares
     * every tick with its replay, too. Throws 'bad-recording' with the reader's sentence.
     */
    reportFlight(half: Uint8Array, other?: Uint8Array, reruns?: boolean): Flight;
    /** Displaces the predicted avatar, to demonstrate a correction. */
    injectDesync(xM: number, yM: number, zM: number): void;
}

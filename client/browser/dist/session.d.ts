import type { Client } from './client.js';
import { PerigeeError } from './errors.js';
import { Game, type GameSource } from './game.js';
import { type Input } from './input.js';
import type { OpenPath } from './path.js';
import type { Scene } from './scene.js';
import { type State } from './state.js';
import type { Cue, HeardCue } from './values.js';
/** A log-in at the session service. */
export interface Player {
    /** Of the session service, such as https://HOST:PORT. */
    url: string | URL;
    playerName: string;
    credential: string;
    wantedRegion?: number;
}
export interface SessionOptions {
    /** The game, or where its module is; absent: Skiff. */
    game?: Game | GameSource;
    /** Who plays; or a connect token, if the page got one in another way. */
    player: Player | Uint8Array;
    /** The WebSocket relay, such as wss://HOST/relay; or how to open another kind of path. */
    path: string | URL | OpenPath;
    /** Techniques against latency that differ from the game's, e.g. "smoothing=none". */
    techniques?: string;
    /** How long to wait for the player's avatar. */
    timeoutMs?: number;
    /** Called once when the session has ended, except by leave(). */
    onEnd?: (why: PerigeeError) => void;
}
/** A player in the world: the client library with its connection and clock. */
export declare class Session {
    #private;
    readonly client: Client;
    private constructor();
    /** Loads the game, logs in, connects, and waits for the player's avatar. */
    static join(options: SessionOptions): Promise<Session>;
    get state(): State;
    /** Why the session is over. */
    get end(): PerigeeError | undefined;
    /**
     * One frame: sends the input, and returns what to draw, valid until the next frame. `nowMs` is
     * the time that requestAnimationFrame passes, or performance.now(). Throws once the session is
     * over.
     */
    frame(nowMs: number, input: Input): Scene;
    /** Takes the cues since the last call. */
    takeCues(): Cue[];
    /** Takes the cues of others since the last call. */
    takeHeard(): HeardCue[];
    /** Leaves the world, and frees everything. */
    leave(): void;
}

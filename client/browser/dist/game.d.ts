import { Client } from './client.js';
/** The example game, beside this package's code. */
export declare const skiffUrl: URL;
/** Where a game's module comes from. */
export type GameSource = URL | string | Response | WebAssembly.Module | ArrayBuffer | ArrayBufferView;
/** A game's module, loaded. All clients of one Game share its memory; they know nothing of each other. */
export declare class Game {
    #private;
    private constructor();
    /** `source`: as client/browser/build.sh writes it. */
    static load(source?: GameSource): Promise<Game>;
    /** The version of the wire that the module speaks; a log-in names it. */
    get wireVersion(): number;
    createClient(): Client;
}

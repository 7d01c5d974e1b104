import type { Address } from './address.js';
import type { OpenPath } from './path.js';
/**
 * The paths of a session, one for each gateway to which the client sends. A client that searches
 * for another gateway tries one after the other, so the one that was not used for longest is closed
 * first. A path on which nothing comes back is opened again.
 */
export declare class Paths {
    #private;
    readonly open: OpenPath;
    readonly receive: (from: Address, datagram: Uint8Array) => void;
    /** Why the last path was closed; empty if none was. */
    problem: string;
    constructor(open: OpenPath, receive: (from: Address, datagram: Uint8Array) => void);
    send(nowMs: number, to: Address, bytes: Uint8Array<ArrayBuffer>): void;
    close(): void;
}

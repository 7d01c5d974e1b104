import type { Address } from './address.js';
/**
 * Carries datagrams to one gateway and back. Like UDP it may lose, repeat and reorder them, and it
 * never waits.
 */
export interface Path {
    /** Sends it, or drops it if that is not possible now. `bytes` belong to the path from then on. */
    send(bytes: Uint8Array<ArrayBuffer>): void;
    /** Set by the path's user. */
    onDatagram: (bytes: Uint8Array) => void;
    /** Set by the path's user; called once, with a sentence, unless close() was called. */
    onClose: (reason: string) => void;
    close(): void;
}
/** Opens a path to a gateway. */
export type OpenPath = (gateway: Address) => Path;
/**
 * The relay's URL for one gateway: RELAY?gateway=IP:PORT, after what the relay's own query has, such
 * as a token. `schemes`: as {'http:': 'ws:'}.
 */
export declare function relayUrl(relay: string | URL, gateway: Address, schemes: Readonly<Record<string, string>>): URL;

import type { Address } from './address.js';
import { type Path } from './path.js';
/** Datagrams as binary messages of a WebSocket to a relay, one in each. */
export declare class WebSocketPath implements Path {
    #private;
    onDatagram: (bytes: Uint8Array) => void;
    onClose: (reason: string) => void;
    /** Datagrams that were not sent because too many were waiting. */
    dropped: number;
    /** `relay`: such as ws://HOST/relay, or a path below the page. */
    constructor(relay: string | URL, gateway: Address);
    send(bytes: Uint8Array<ArrayBuffer>): void;
    close(): void;
}

import type { Address } from './address.js';
import { type Path } from './path.js';
export interface WebTransportPathOptions {
    /** Of a certificate that no authority has signed, valid for two weeks at most. */
    serverCertificateHashes?: WebTransportHash[];
}
/** Datagrams of a WebTransport session with a relay. */
export declare class WebTransportPath implements Path {
    #private;
    onDatagram: (bytes: Uint8Array) => void;
    onClose: (reason: string) => void;
    /** Datagrams that were not sent: before the connection, or while too many were waiting. */
    dropped: number;
    /** Datagrams that are longer than the connection carries; browsers drop them silently. */
    droppedTooLong: number;
    /** `relay`: such as https://HOST/relay. */
    constructor(relay: string | URL, gateway: Address, options?: WebTransportPathOptions);
    send(bytes: Uint8Array<ArrayBuffer>): void;
    close(): void;
}

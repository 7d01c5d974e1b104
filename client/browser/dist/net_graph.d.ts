/** 12.8 s. */
export declare const samplesMax = 256;
/**
 * One column for each figure, the oldest sample first: 50 ms each. Only the first `count` values of a
 * column are valid. The columns are reused.
 */
export declare class NetGraph {
    count: number;
    /** When each sample ends, on the clock that the client was given. */
    readonly endMs: Float64Array<ArrayBuffer>;
    readonly rttMs: Float64Array<ArrayBuffer>;
    readonly jitterMs: Float64Array<ArrayBuffer>;
    readonly leadMs: Float64Array<ArrayBuffer>;
    readonly packetsReceived: Uint32Array<ArrayBuffer>;
    readonly packetsLost: Uint32Array<ArrayBuffer>;
    readonly bytesReceived: Uint32Array<ArrayBuffer>;
    readonly packetsSent: Uint32Array<ArrayBuffer>;
    readonly bytesSent: Uint32Array<ArrayBuffer>;
    /** Visible ones: over 5 cm. */
    readonly corrections: Uint32Array<ArrayBuffer>;
    readonly largestCorrectionM: Float64Array<ArrayBuffer>;
    /** `count` structs of perigee_client_net_sample at `start`, at most `samplesMax`. */
    read(view: DataView, start: number, count: number): this;
}

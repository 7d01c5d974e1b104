/** The connection over the last seconds, for a graph. */
import * as layout from './layout.js';
import { integer } from './values.js';
/** 12.8 s. */
export const samplesMax = 256;
/**
 * One column for each figure, the oldest sample first: 50 ms each. Only the first `count` values of a
 * column are valid. The columns are reused.
 */
export class NetGraph {
    count = 0;
    /** When each sample ends, on the clock that the client was given. */
    endMs = new Float64Array(samplesMax);
    rttMs = new Float64Array(samplesMax);
    jitterMs = new Float64Array(samplesMax);
    leadMs = new Float64Array(samplesMax);
    packetsReceived = new Uint32Array(samplesMax);
    packetsLost = new Uint32Array(samplesMax);
    bytesReceived = new Uint32Array(samplesMax);
    packetsSent = new Uint32Array(samplesMax);
    bytesSent = new Uint32Array(samplesMax);
    /** Visible ones: over 5 cm. */
    corrections = new Uint32Array(samplesMax);
    largestCorrectionM = new Float64Array(samplesMax);
    /** `count` structs of perigee_client_net_sample at `start`, at most `samplesMax`. */
    read(view, start, count) {
        const field = layout.netSample;
        this.count = count;
        for (let i = 0; i < count; ++i) {
            const at = start + i * field.bytes;
            this.endMs[i] = integer(view, at + field.endUs) / 1000;
            this.rttMs[i] = integer(view, at + field.rttUs) / 1000;
            this.jitterMs[i] = integer(view, at + field.jitterUs) / 1000;
            this.leadMs[i] = integer(view, at + field.leadUs) / 1000;
            this.packetsReceived[i] = view.getUint32(at + field.packetsReceived, true);
            this.packetsLost[i] = view.getUint32(at + field.packetsLost, true);
            this.bytesReceived[i] = view.getUint32(at + field.bytesReceived, true);
            this.packetsSent[i] = view.getUint32(at + field.packetsSent, true);
            this.bytesSent[i] = view.getUint32(at + field.bytesSent, true);
            this.corrections[i] = view.getUint32(at + field.corrections, true);
            this.largestCorrectionM[i] = view.getFloat64(at + field.largestCorrectionM, true);
        }
        return this;
    }
}

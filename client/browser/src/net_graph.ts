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
  readonly endMs = new Float64Array(samplesMax);
  readonly rttMs = new Float64Array(samplesMax);
  readonly jitterMs = new Float64Array(samplesMax);
  readonly leadMs = new Float64Array(samplesMax);
  readonly packetsReceived = new Uint32Array(samplesMax);
  readonly packetsLost = new Uint32Array(samplesMax);
  readonly bytesReceived = new Uint32Array(samplesMax);
  readonly packetsSent = new Uint32Array(samplesMax);
  readonly bytesSent = new Uint32Array(samplesMax);
  /** Visible ones: over 5 cm. */
  readonly corrections = new Uint32Array(samplesMax);
  readonly largestCorrectionM = new Float64Array(samplesMax);

  /** `count` structs of perigee_client_net_sample at `start`, at most `samplesMax`. */
  read(view: DataView, start: number, count: number): this {
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

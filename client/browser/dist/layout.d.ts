export declare const abi = 1;
export declare const datagramBytesMax = 1225;
export declare const messageBytesMax = 1024;
export declare const results: {
    readonly badArgument: -1;
    readonly badToken: -2;
    readonly bufferTooSmall: -3;
    readonly notPlaying: -4;
    readonly internal: -5;
    readonly tooMany: -6;
};
export declare const states: {
    readonly 'token-expired': -6;
    readonly 'token-invalid': -5;
    readonly 'timed-out': -4;
    readonly 'response-timed-out': -3;
    readonly 'request-timed-out': -2;
    readonly denied: -1;
    readonly disconnected: 0;
    readonly connecting: 1;
    readonly joining: 2;
    readonly playing: 3;
    readonly reconnecting: 4;
};
/** Bits of `held` and `pressed` of an input. */
export declare const buttons: {
    readonly jump: 1;
    readonly run: 2;
    readonly jetpack: 4;
    readonly dampers: 8;
    readonly fire: 16;
    readonly alternate: 32;
    readonly dig: 64;
    readonly fill: 128;
};
/** Bits of an entity's `flags`. */
export declare const flags: {
    readonly own: 1;
    readonly smoothing: 2;
    readonly extrapolated: 4;
};
export declare const cueStates: {
    readonly played: 0;
    readonly confirmed: 1;
    readonly cancelled: 2;
};
export declare const missings: {
    readonly held: 0;
    readonly kept: 1;
    readonly momentary: 2;
};
export declare const address: {
    readonly bytes: 20;
    readonly family: 0;
    readonly ip: 1;
    readonly port: 18;
};
export declare const input: {
    readonly bytes: 36;
    readonly structBytes: 0;
    readonly right: 4;
    readonly up: 8;
    readonly forward: 12;
    readonly yawRad: 16;
    readonly pitchRad: 20;
    readonly held: 24;
    readonly pressed: 28;
    readonly useHandle: 32;
};
export declare const inputField: {
    readonly bytes: 72;
    readonly name: 0;
    readonly low: 32;
    readonly high: 40;
    readonly initial: 48;
    readonly offset: 56;
    readonly fieldBytes: 60;
    readonly missing: 64;
};
export declare const entity: {
    readonly bytes: 152;
    readonly handle: 0;
    readonly parent: 4;
    readonly type: 8;
    readonly flags: 12;
    readonly localPositionM: 16;
    readonly localRotation: 40;
    readonly worldPositionM: 72;
    readonly worldRotation: 96;
    readonly smoothingM: 128;
};
export declare const cue: {
    readonly bytes: 24;
    readonly tick: 0;
    readonly index: 4;
    readonly effect: 8;
    readonly subject: 12;
    readonly state: 16;
    readonly detail: 20;
};
export declare const heardCue: {
    readonly bytes: 48;
    readonly tick: 0;
    readonly handle: 4;
    readonly effect: 8;
    readonly subject: 12;
    readonly detail: 16;
    readonly worldPositionM: 24;
};
export declare const ground: {
    readonly bytes: 32;
    readonly structBytes: 0;
    readonly size: 4;
    readonly cellM: 16;
    readonly version: 24;
};
export declare const time: {
    readonly bytes: 40;
    readonly structBytes: 0;
    readonly known: 4;
    readonly predictedTick: 8;
    readonly viewOriginTick: 12;
    readonly viewTicks: 16;
    readonly viewDelayS: 24;
    readonly rate: 32;
};
export declare const telemetry: {
    readonly bytes: 80;
    readonly structBytes: 0;
    readonly rttUs: 8;
    readonly fullLoopUs: 16;
    readonly jitterUs: 24;
    readonly leadUs: 32;
    readonly packets: 40;
    readonly packetsLost: 48;
    readonly bytesReceived: 56;
    readonly corrections: 64;
    readonly largestCorrectionM: 72;
};
export declare const netSample: {
    readonly bytes: 64;
    readonly endUs: 0;
    readonly rttUs: 8;
    readonly jitterUs: 16;
    readonly leadUs: 24;
    readonly packetsReceived: 32;
    readonly packetsLost: 36;
    readonly bytesReceived: 40;
    readonly packetsSent: 44;
    readonly bytesSent: 48;
    readonly corrections: 52;
    readonly largestCorrectionM: 56;
};

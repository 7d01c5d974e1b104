// Written by module/layout.cpp from perigee_client.h; do not change it here.
export const abi = 1;
export const datagramBytesMax = 1225;
export const messageBytesMax = 1024;
export const results = {
    badArgument: -1,
    badToken: -2,
    bufferTooSmall: -3,
    notPlaying: -4,
    internal: -5,
    tooMany: -6,
};
export const states = {
    'token-expired': -6,
    'token-invalid': -5,
    'timed-out': -4,
    'response-timed-out': -3,
    'request-timed-out': -2,
    denied: -1,
    disconnected: 0,
    connecting: 1,
    joining: 2,
    playing: 3,
    reconnecting: 4,
};
/** Bits of `held` and `pressed` of an input. */
export const buttons = {
    jump: 1,
    run: 2,
    jetpack: 4,
    dampers: 8,
    fire: 16,
    alternate: 32,
    dig: 64,
    fill: 128,
};
/** Bits of an entity's `flags`. */
export const flags = {
    own: 1,
    smoothing: 2,
    extrapolated: 4,
};
export const cueStates = {
    played: 0,
    confirmed: 1,
    cancelled: 2,
};
export const missings = {
    held: 0,
    kept: 1,
    momentary: 2,
};
export const address = {
    bytes: 20,
    family: 0,
    ip: 1,
    port: 18,
};
export const input = {
    bytes: 36,
    structBytes: 0,
    right: 4,
    up: 8,
    forward: 12,
    yawRad: 16,
    pitchRad: 20,
    held: 24,
    pressed: 28,
    useHandle: 32,
};
export const inputField = {
    bytes: 72,
    name: 0,
    low: 32,
    high: 40,
    initial: 48,
    offset: 56,
    fieldBytes: 60,
    missing: 64,
};
export const entity = {
    bytes: 152,
    handle: 0,
    parent: 4,
    type: 8,
    flags: 12,
    localPositionM: 16,
    localRotation: 40,
    worldPositionM: 72,
    worldRotation: 96,
    smoothingM: 128,
};
export const cue = {
    bytes: 24,
    tick: 0,
    index: 4,
    effect: 8,
    subject: 12,
    state: 16,
    detail: 20,
};
export const heardCue = {
    bytes: 48,
    tick: 0,
    handle: 4,
    effect: 8,
    subject: 12,
    detail: 16,
    worldPositionM: 24,
};
export const ground = {
    bytes: 32,
    structBytes: 0,
    size: 4,
    cellM: 16,
    version: 24,
};
export const time = {
    bytes: 40,
    structBytes: 0,
    known: 4,
    predictedTick: 8,
    viewOriginTick: 12,
    viewTicks: 16,
    viewDelayS: 24,
    rate: 32,
};
export const telemetry = {
    bytes: 80,
    structBytes: 0,
    rttUs: 8,
    fullLoopUs: 16,
    jitterUs: 24,
    leadUs: 32,
    packets: 40,
    packetsLost: 48,
    bytesReceived: 56,
    corrections: 64,
    largestCorrectionM: 72,
};
export const netSample = {
    bytes: 64,
    endUs: 0,
    rttUs: 8,
    jitterUs: 16,
    leadUs: 24,
    packetsReceived: 32,
    packetsLost: 36,
    bytesReceived: 40,
    packetsSent: 44,
    bytesSent: 48,
    corrections: 52,
    largestCorrectionM: 56,
};

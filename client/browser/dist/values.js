/** Structs of the module as objects. */
import * as layout from './layout.js';
const cueStates = Object.keys(layout.cueStates);
export function readCue(view, at) {
    const field = layout.cue;
    const word = (offset) => view.getUint32(at + offset, true);
    return {
        tick: word(field.tick),
        index: word(field.index),
        effect: word(field.effect),
        subject: word(field.subject),
        state: cueStates.find((name) => layout.cueStates[name] === word(field.state)) ?? 'cancelled',
        detail: word(field.detail),
    };
}
export function readHeardCue(view, at) {
    const field = layout.heardCue;
    const word = (offset) => view.getUint32(at + offset, true);
    const metres = (axis) => view.getFloat64(at + field.worldPositionM + 8 * axis, true);
    return {
        tick: word(field.tick),
        handle: word(field.handle),
        effect: word(field.effect),
        subject: word(field.subject),
        detail: word(field.detail),
        positionM: [metres(0), metres(1), metres(2)],
    };
}
export function readGround(view, at) {
    const field = layout.ground;
    const side = (axis) => view.getInt32(at + field.size + 4 * axis, true);
    return {
        size: [side(0), side(1), side(2)],
        cellM: view.getFloat64(at + field.cellM, true),
        version: view.getBigUint64(at + field.version, true),
    };
}
export function noTime() {
    return { known: false, predictedTick: 0, viewOriginTick: 0, viewTicks: 0, viewDelayS: 0, rate: 0 };
}
export function readTime(view, at, into) {
    const field = layout.time;
    into.known = view.getUint32(at + field.known, true) !== 0;
    into.predictedTick = view.getUint32(at + field.predictedTick, true);
    into.viewOriginTick = view.getUint32(at + field.viewOriginTick, true);
    into.viewTicks = view.getFloat64(at + field.viewTicks, true);
    into.viewDelayS = view.getFloat64(at + field.viewDelayS, true);
    into.rate = view.getFloat64(at + field.rate, true);
    return into;
}
export function noTelemetry() {
    return {
        rttMs: 0, fullLoopMs: 0, jitterMs: 0, leadMs: 0, packets: 0, packetsLost: 0, bytesReceived: 0,
        corrections: 0, largestCorrectionM: 0,
    };
}
/** A 64-bit integer, exact up to 2^53, without a BigInt. */
export function integer(view, at) {
    return view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
}
export function readTelemetry(view, at, into) {
    const field = layout.telemetry;
    into.rttMs = integer(view, at + field.rttUs) / 1000;
    into.fullLoopMs = integer(view, at + field.fullLoopUs) / 1000;
    into.jitterMs = integer(view, at + field.jitterUs) / 1000;
    into.leadMs = integer(view, at + field.leadUs) / 1000;
    into.packets = integer(view, at + field.packets);
    into.packetsLost = integer(view, at + field.packetsLost);
    into.bytesReceived = integer(view, at + field.bytesReceived);
    into.corrections = integer(view, at + field.corrections);
    into.largestCorrectionM = view.getFloat64(at + field.largestCorrectionM, true);
    return into;
}

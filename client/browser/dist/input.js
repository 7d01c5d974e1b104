import * as layout from './layout.js';
export const inputFieldsMax = 16;
const missings = Object.keys(layout.missings);
/** Reads a perigee_client_input_field without its name. */
export function readInputField(view, at, name) {
    const field = layout.inputField;
    const whole = (offset) => Number(view.getBigInt64(at + offset, true));
    const word = (offset) => view.getUint32(at + offset, true);
    return {
        name,
        low: whole(field.low),
        high: whole(field.high),
        initial: whole(field.initial),
        offset: word(field.offset),
        bytes: word(field.fieldBytes),
        missing: missings[word(field.missing)] ?? 'held',
    };
}
/** No key is down. */
export const released = {};
/** Writes a perigee_client_input. */
export function writeInput(view, at, input) {
    const field = layout.input;
    view.setUint32(at + field.structBytes, field.bytes, true);
    view.setFloat32(at + field.right, input.right ?? 0, true);
    view.setFloat32(at + field.up, input.up ?? 0, true);
    view.setFloat32(at + field.forward, input.forward ?? 0, true);
    view.setFloat32(at + field.yawRad, input.yawRad ?? 0, true);
    view.setFloat32(at + field.pitchRad, input.pitchRad ?? 0, true);
    view.setUint32(at + field.held, input.held ?? 0, true);
    view.setUint32(at + field.pressed, input.pressed ?? 0, true);
    view.setUint32(at + field.useHandle, input.useHandle ?? 0, true);
}

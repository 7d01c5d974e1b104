import * as layout from './layout.js';
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

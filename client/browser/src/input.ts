import * as layout from './layout.js';

/** The player's controls in one frame. What is missing is 0. */
export interface Input {
  /** -1 to 1, in the look's horizontal frame; `up` is for the jetpack. */
  right?: number;
  up?: number;
  forward?: number;
  /** About the parent's +y; 0 looks along +z. */
  yawRad?: number;
  /** Up is positive, at most a quarter turn. */
  pitchRad?: number;
  /** Bits of `buttons` that are down. */
  held?: number;
  /** Bits of `buttons` that went down since the last frame; each counts once. */
  pressed?: number;
  /** The entity to use, such as a door. */
  useHandle?: number;
}

/** A field that the game adds to inputs. */
export interface InputField {
  name: string;
  low: number;
  high: number;
  initial: number;
  /** In the game's struct. */
  offset: number;
  bytes: number;
  /**
   * In a tick whose input is missing the field has its last value, and after 100 ms the initial one (`held`), its
   * last value (`kept`), or the initial one (`momentary`).
   */
  missing: keyof typeof layout.missings;
}

export const inputFieldsMax = 16;
const missings = Object.keys(layout.missings) as InputField['missing'][];

/** Reads a perigee_client_input_field without its name. */
export function readInputField(view: DataView, at: number, name: string): InputField {
  const field = layout.inputField;
  const whole = (offset: number) => Number(view.getBigInt64(at + offset, true));
  const word = (offset: number) => view.getUint32(at + offset, true);
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
export const released: Input = {};

/** Writes a perigee_client_input. */
export function writeInput(view: DataView, at: number, input: Input): void {
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

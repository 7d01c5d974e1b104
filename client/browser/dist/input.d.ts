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
export declare const inputFieldsMax = 16;
/** Reads a perigee_client_input_field without its name. */
export declare function readInputField(view: DataView, at: number, name: string): InputField;
/** No key is down. */
export declare const released: Input;
/** Writes a perigee_client_input. */
export declare function writeInput(view: DataView, at: number, input: Input): void;

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
/** No key is down. */
export declare const released: Input;
/** Writes a perigee_client_input. */
export declare function writeInput(view: DataView, at: number, input: Input): void;

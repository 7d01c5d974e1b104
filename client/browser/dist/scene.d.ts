import type { Library } from './library.js';
/**
 * An entity as rendered now. Objects and arrays are reused: they are valid until the next frame, and
 * the same index is another entity then. Metres; quaternions x, y, z, w; right-handed, y up.
 */
export declare class Entity {
    /** Constant for its lifetime. */
    handle: number;
    /** Frame of `local…`: an entity; 0: the world. */
    parent: number;
    /** See Client.typeName(). */
    type: number;
    /** Bits of `flags`. */
    flags: number;
    readonly localPositionM: Float64Array;
    readonly localRotation: Float64Array;
    readonly worldPositionM: Float64Array;
    readonly worldRotation: Float64Array;
    /** While a correction is smoothed: offset of the rendered place, in the parent's frame. */
    readonly smoothingM: Float64Array;
    constructor(doubles: Float64Array, at: number);
    /** The own avatar, predicted. */
    get own(): boolean;
    get smoothing(): boolean;
    /** Rendered beyond its newest sample. */
    get extrapolated(): boolean;
}
/**
 * All known entities, parents before children. A copy outside of the module's memory, so a view of
 * it stays valid when that memory grows.
 */
export declare class Scene {
    #private;
    constructor(library: Library);
    get count(): number;
    /** `index` is below `count`. */
    at(index: number): Entity;
    /** The own avatar, if there is one to render. */
    get own(): Entity | undefined;
    [Symbol.iterator](): Iterator<Entity>;
    /** `write` fills the entities at an address, at most so many, and returns how many there are. */
    update(write: (address: number, each: number, capacity: number) => number): this;
    release(): void;
}

import * as layout from './layout.js';
import type { Library } from './library.js';

const place = layout.entity;
const doubleBytes = 8;
const wordBytes = 4;
const capacityAtFirst = 256;

/**
 * An entity as rendered now. Objects and arrays are reused: they are valid until the next frame, and
 * the same index is another entity then. Metres; quaternions x, y, z, w; right-handed, y up.
 */
export class Entity {
  /** Constant for its lifetime. */
  handle = 0;
  /** Frame of `local…`: an entity; 0: the world. */
  parent = 0;
  /** See Client.typeName(). */
  type = 0;
  /** Bits of `flags`. */
  flags = 0;
  readonly localPositionM: Float64Array;
  readonly localRotation: Float64Array;
  readonly worldPositionM: Float64Array;
  readonly worldRotation: Float64Array;
  /** While a correction is smoothed: offset of the rendered place, in the parent's frame. */
  readonly smoothingM: Float64Array;

  constructor(doubles: Float64Array, at: number) {
    const part = (offset: number, length: number) =>
      doubles.subarray(at + offset / doubleBytes, at + offset / doubleBytes + length);
    this.localPositionM = part(place.localPositionM, 3);
    this.localRotation = part(place.localRotation, 4);
    this.worldPositionM = part(place.worldPositionM, 3);
    this.worldRotation = part(place.worldRotation, 4);
    this.smoothingM = part(place.smoothingM, 3);
  }

  /** The own avatar, predicted. */
  get own(): boolean {
    return (this.flags & layout.flags.own) !== 0;
  }
  get smoothing(): boolean {
    return (this.flags & layout.flags.smoothing) !== 0;
  }
  /** Rendered beyond its newest sample. */
  get extrapolated(): boolean {
    return (this.flags & layout.flags.extrapolated) !== 0;
  }
}

/**
 * All known entities, parents before children. A copy outside of the module's memory, so a view of
 * it stays valid when that memory grows.
 */
export class Scene {
  #library: Library;
  #address: number;
  #capacity = capacityAtFirst;
  #bytes = new Uint8Array();
  #words = new Uint32Array();
  readonly #entities: Entity[] = [];
  #count = 0;
  #own: Entity | undefined;

  constructor(library: Library) {
    this.#library = library;
    this.#address = library.allocate(this.#capacity * place.bytes);
    this.#reserve();
  }

  get count(): number {
    return this.#count;
  }
  /** `index` is below `count`. */
  at(index: number): Entity {
    if (!(index >= 0 && index < this.#count)) throw new RangeError(`the scene has no entity ${index}`);
    return this.#entities[index]!;
  }
  /** The own avatar, if there is one to render. */
  get own(): Entity | undefined {
    return this.#own;
  }
  *[Symbol.iterator](): Iterator<Entity> {
    for (let i = 0; i < this.#count; ++i) yield this.#entities[i]!;
  }

  /** `write` fills the entities at an address, at most so many, and returns how many there are. */
  update(write: (address: number, each: number, capacity: number) => number): this {
    let count = write(this.#address, place.bytes, this.#capacity);
    if (count > this.#capacity) {
      while (count > this.#capacity) this.#capacity *= 2;
      this.#library.release(this.#address);
      this.#address = this.#library.allocate(this.#capacity * place.bytes);
      this.#reserve();
      count = write(this.#address, place.bytes, this.#capacity);
    }
    this.#count = Math.max(0, Math.min(count, this.#capacity));
    const end = this.#address + this.#count * place.bytes;
    this.#bytes.set(this.#library.bytes.subarray(this.#address, end));
    this.#read();
    return this;
  }

  release(): void {
    this.#library.release(this.#address);
    this.#count = 0;
    this.#own = undefined;
  }

  #read(): void {
    this.#own = undefined;
    for (let i = 0; i < this.#count; ++i) {
      const entity = this.#entities[i]!;
      const at = (i * place.bytes) / wordBytes;
      entity.handle = this.#words[at + place.handle / wordBytes]!;
      entity.parent = this.#words[at + place.parent / wordBytes]!;
      entity.type = this.#words[at + place.type / wordBytes]!;
      entity.flags = this.#words[at + place.flags / wordBytes]!;
      if (entity.own) this.#own = entity;
    }
  }

  #reserve(): void {
    this.#bytes = new Uint8Array(this.#capacity * place.bytes);
    this.#words = new Uint32Array(this.#bytes.buffer);
    const doubles = new Float64Array(this.#bytes.buffer);
    this.#entities.length = 0;
    for (let i = 0; i < this.#capacity; ++i) {
      this.#entities.push(new Entity(doubles, (i * place.bytes) / doubleBytes));
    }
  }
}

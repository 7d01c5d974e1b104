/** Geometry out of simple parts, with what the hull shader needs at each vertex. */
import * as THREE from 'three';

export interface Look {
  color: string;
  /** 0: lit by the sun only; 1: as bright as its colour. */
  glow?: number;
  /** Limbs swing: 1 and -1 legs, 2 and -2 arms. */
  limb?: number;
}

/** A box of a model, in metres, for drawing and for rays. */
export interface Block extends Look {
  low: readonly [number, number, number];
  high: readonly [number, number, number];
  /** About its own +y. */
  yawRad?: number;
  /** Only drawn: rays pass it. */
  decor?: boolean;
}

/** What is drawn for a type, and what rays hit. */
export interface Model {
  blocks: readonly Block[];
  geometry: () => THREE.BufferGeometry;
  /** Characters walk. */
  walks?: boolean;
}

const noEdges = 1e4;

/** Collects parts, and merges them into one geometry. */
export class Parts {
  readonly #position: number[] = [];
  readonly #normal: number[] = [];
  readonly #color: number[] = [];
  readonly #face: number[] = [];
  readonly #glow: number[] = [];
  readonly #limb: number[] = [];
  readonly #index: number[] = [];
  readonly #tint = new THREE.Color();

  block({ low, high, yawRad = 0, ...look }: Block): this {
    const middle = low.map((side, i) => (side + high[i]!) / 2) as [number, number, number];
    const half = low.map((side, i) => (high[i]! - side) / 2) as [number, number, number];
    const turn = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), yawRad);
    const at = new THREE.Vector3();
    for (let axis = 0; axis < 3; ++axis) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      for (const side of [-1, 1]) {
        const first = this.#position.length / 3;
        for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const) {
          const corner = [0, 0, 0];
          corner[axis] = side * half[axis]!;
          corner[u] = a * half[u]!;
          corner[v] = b * half[v]!;
          at.fromArray(corner).applyQuaternion(turn);
          this.#position.push(at.x + middle[0], at.y + middle[1], at.z + middle[2]);
          const normal = [0, 0, 0];
          normal[axis] = side;
          at.fromArray(normal).applyQuaternion(turn);
          this.#normal.push(at.x, at.y, at.z);
          this.#face.push(a * half[u]!, b * half[v]!, half[u]!, half[v]!);
          this.#look(look);
        }
        const quad = side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
        this.#index.push(...quad.map((corner) => first + corner));
      }
    }
    return this;
  }

  blocks(blocks: readonly Block[]): this {
    for (const block of blocks) this.block(block);
    return this;
  }

  /** Any geometry of three.js, placed by `matrix`. */
  solid(geometry: THREE.BufferGeometry, look: Look, matrix = new THREE.Matrix4()): this {
    const placed = geometry.clone().applyMatrix4(matrix);
    const position = placed.getAttribute('position');
    const normal = placed.getAttribute('normal');
    const first = this.#position.length / 3;
    for (let i = 0; i < position.count; ++i) {
      this.#position.push(position.getX(i), position.getY(i), position.getZ(i));
      this.#normal.push(normal.getX(i), normal.getY(i), normal.getZ(i));
      this.#face.push(0, 0, noEdges, noEdges);
      this.#look(look);
    }
    const index = placed.getIndex();
    if (index) {
      for (let i = 0; i < index.count; ++i) this.#index.push(first + index.getX(i));
    } else {
      for (let i = 0; i < position.count; ++i) this.#index.push(first + i);
    }
    placed.dispose();
    geometry.dispose();
    return this;
  }

  geometry(): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    const set = (name: string, values: number[], size: number) =>
      geometry.setAttribute(name, new THREE.Float32BufferAttribute(values, size));
    set('position', this.#position, 3);
    set('normal', this.#normal, 3);
    set('color', this.#color, 3);
    set('face', this.#face, 4);
    set('glow', this.#glow, 1);
    set('limb', this.#limb, 1);
    geometry.setIndex(this.#index);
    geometry.computeBoundingSphere();
    return geometry;
  }

  #look({ color, glow = 0, limb = 0 }: Look): void {
    this.#tint.set(color);
    this.#color.push(this.#tint.r, this.#tint.g, this.#tint.b);
    this.#glow.push(glow);
    this.#limb.push(limb);
  }
}

export function at(x: number, y: number, z: number, rx = 0, ry = 0, rz = 0): THREE.Matrix4 {
  return new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(rx, ry, rz)).setPosition(x, y, z);
}

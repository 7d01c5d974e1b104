/** Ground made of cells: a mesh of the faces between solid and empty cells, in chunks. */
import type { Client } from '@perigee/client';
import * as THREE from 'three';

const chunkCells = 32;
const chunksPerFrameMax = 2;
const top = new THREE.Color('#6c7467');
const side = new THREE.Color('#57514b');
const deep = new THREE.Color('#3d3a3b');

interface Chunk {
  low: [number, number, number];
  size: [number, number, number];
  version: bigint;
  /** Of the cells that the mesh shows. */
  shown: Uint8Array | undefined;
  solidCells: number;
  meshes: [THREE.Mesh, THREE.Mesh];
}

/** One entity's ground. It may be drawn in several scenes. */
export class Ground {
  readonly group = new THREE.Group();
  /** The same meshes in the server's picture. */
  readonly #truth = new THREE.Group();
  /** Whether it is in the scene of this frame. */
  seen = false;
  readonly #handle: number;
  readonly #material: THREE.Material;
  readonly #chunks: Chunk[] = [];
  #cellM = 1;

  constructor(handle: number, material: THREE.Material) {
    this.#handle = handle;
    this.#material = material;
  }

  get solidCells(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.solidCells, 0);
  }

  /** Reads what has changed; true if a mesh is new. */
  update(client: Client): boolean {
    const ground = client.ground(this.#handle);
    if (!ground) return false;
    if (this.#chunks.length === 0) this.#divide(ground.size, ground.cellM);
    let budget = chunksPerFrameMax;
    let changed = false;
    for (const chunk of this.#chunks) {
      if (chunk.version === ground.version || budget-- <= 0) continue;
      chunk.version = ground.version;
      changed = this.#read(client, chunk) || changed;
    }
    return changed;
  }

  /** The server's picture shows the cells as they are predicted. */
  placeTruth(scene: THREE.Scene, at: THREE.Vector3, rotation: THREE.Quaternion): void {
    if (this.#truth.parent !== scene) scene.add(this.#truth);
    this.#truth.position.copy(at);
    this.#truth.quaternion.copy(rotation);
  }

  remove(): void {
    this.group.removeFromParent();
    this.#truth.removeFromParent();
  }

  dispose(): void {
    for (const { meshes } of this.#chunks) meshes[0].geometry.dispose();
  }

  #divide(size: readonly number[], cellM: number): void {
    this.#cellM = cellM;
    const [sx, sy, sz] = size as [number, number, number];
    for (let x = 0; x < sx; x += chunkCells) {
      for (let z = 0; z < sz; z += chunkCells) {
        const mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.#material);
        mesh.castShadow = mesh.receiveShadow = true;
        mesh.visible = false;
        const copy = new THREE.Mesh(mesh.geometry, this.#material);
        copy.visible = false;
        mesh.matrixAutoUpdate = copy.matrixAutoUpdate = false; // only the groups move
        this.group.add(mesh);
        this.#truth.add(copy);
        this.#chunks.push({
          low: [x, 0, z],
          size: [Math.min(chunkCells, sx - x), sy, Math.min(chunkCells, sz - z)],
          version: -1n,
          shown: undefined,
          solidCells: 0,
          meshes: [mesh, copy],
        });
      }
    }
  }

  /** The cells of the chunk and one more on each side, so that faces between chunks are right. */
  #read(client: Client, chunk: Chunk): boolean {
    const size = chunk.size.map((cells) => cells + 2) as [number, number, number];
    const low = chunk.low.map((cell) => cell - 1) as [number, number, number];
    const cells = client.cells(this.#handle, low, size);
    if (chunk.shown && cells.every((cell, i) => cell === chunk.shown![i])) return false;
    chunk.shown = cells;
    chunk.solidCells = inner(cells, size);
    chunk.meshes[0].geometry.dispose();
    const geometry = meshed(cells, size, low, this.#cellM);
    for (const mesh of chunk.meshes) {
      mesh.geometry = geometry;
      mesh.visible = true;
    }
    return true;
  }
}

const faces: { step: [number, number, number]; corners: [number, number, number][] }[] = [
  { step: [1, 0, 0], corners: [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]] },
  { step: [-1, 0, 0], corners: [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]] },
  { step: [0, 1, 0], corners: [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]] },
  { step: [0, -1, 0], corners: [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]] },
  { step: [0, 0, 1], corners: [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]] },
  { step: [0, 0, -1], corners: [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]] },
];

/** Solid cells, without those around the chunk. */
function inner(cells: Uint8Array, [nx, ny, nz]: [number, number, number]): number {
  let sum = 0;
  for (let y = 1; y < ny - 1; ++y) {
    for (let z = 1; z < nz - 1; ++z) {
      for (let x = 1; x < nx - 1; ++x) sum += cells[x + nx * (z + nz * y)]!;
    }
  }
  return sum;
}

function shade(x: number, y: number, z: number): number {
  const mixed = Math.imul(x * 73856093 ^ y * 19349663 ^ z * 83492791, 2654435761) >>> 0;
  return 0.86 + (0.28 * (mixed % 1000)) / 1000;
}

/** `cells`: x first, then z, then y; the outermost ones are only neighbours. */
function meshed(
  cells: Uint8Array, [nx, ny, nz]: [number, number, number], low: readonly number[], cellM: number,
): THREE.BufferGeometry {
  const solid = (x: number, y: number, z: number) => cells[x + nx * (z + nz * y)] === 1;
  const position: number[] = [];
  const normal: number[] = [];
  const color: number[] = [];
  const face: number[] = [];
  const index: number[] = [];
  const tint = new THREE.Color();
  for (let y = 1; y < ny - 1; ++y) {
    for (let z = 1; z < nz - 1; ++z) {
      for (let x = 1; x < nx - 1; ++x) {
        if (!solid(x, y, z)) continue;
        for (const { step, corners } of faces) {
          if (solid(x + step[0], y + step[1], z + step[2])) continue;
          const first = position.length / 3;
          const open = y < ny - 2 && !solid(x, y + 1, z);
          tint.copy(step[1] > 0 ? top : open ? side : deep).multiplyScalar(shade(x + low[0]!, y, z + low[2]!));
          corners.forEach((corner, i) => {
            position.push(
              (x + corner[0] + low[0]!) * cellM, (y + corner[1] + low[1]!) * cellM, (z + corner[2] + low[2]!) * cellM,
            );
            normal.push(...step);
            color.push(tint.r, tint.g, tint.b);
            face.push((i === 0 || i === 3 ? -0.5 : 0.5) * cellM, (i < 2 ? -0.5 : 0.5) * cellM, cellM / 2, cellM / 2);
          });
          index.push(first, first + 1, first + 2, first, first + 2, first + 3);
        }
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  const count = position.length / 3;
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(color, 3));
  geometry.setAttribute('face', new THREE.Float32BufferAttribute(face, 4));
  geometry.setAttribute('glow', new THREE.Float32BufferAttribute(new Float32Array(count), 1));
  geometry.setAttribute('limb', new THREE.Float32BufferAttribute(new Float32Array(count), 1));
  geometry.setIndex(index);
  return geometry;
}

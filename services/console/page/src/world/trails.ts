/** Where moving entities have been in the last seconds. */
import * as THREE from 'three';
import { actorFlag, restingFlag, type Entities } from '../model/entities.js';
import { workerRgb } from '../ui/palette.js';

const trailsMax = 320;
const placesMax = 28;
const sampleEveryMs = 300;
const segmentsMax = trailsMax * (placesMax - 1);

interface Trail {
  /** Oldest first: x, y, z of each. */
  places: number[];
  slot: number;
  actor: boolean;
  seenMs: number;
}

export class Trails {
  readonly object: THREE.LineSegments;
  readonly #entities: Entities;
  readonly #trails = new Map<number, Trail>();
  readonly #position = new THREE.BufferAttribute(new Float32Array(segmentsMax * 6), 3);
  readonly #color = new THREE.BufferAttribute(new Float32Array(segmentsMax * 8), 4);
  readonly #material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
  readonly #tint = new THREE.Color();
  #sampledMs = 0;

  constructor(entities: Entities) {
    this.#entities = entities;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.#position);
    geometry.setAttribute('color', this.#color);
    this.object = new THREE.LineSegments(geometry, this.#material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
  }

  /** After an observation. */
  sample(nowMs: number): void {
    if (nowMs - this.#sampledMs < sampleEveryMs) return;
    this.#sampledMs = nowMs;
    const { owned } = this.#entities;
    for (let row = 0; row < owned.count; ++row) {
      const flags = owned.flags[row]!;
      if ((flags & restingFlag) !== 0 && !this.#trails.has(owned.handle[row]!)) continue;
      this.#extend(row, (flags & actorFlag) !== 0, nowMs);
    }
    for (const [handle, { seenMs }] of this.#trails) if (seenMs !== nowMs) this.#trails.delete(handle);
    this.#upload();
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.#material.dispose();
  }

  #extend(row: number, actor: boolean, nowMs: number): void {
    const { owned } = this.#entities;
    const handle = owned.handle[row]!;
    let trail = this.#trails.get(handle);
    if (!trail) {
      if (this.#trails.size >= trailsMax) return;
      this.#trails.set(handle, (trail = { places: [], slot: 0, actor, seenMs: 0 }));
    }
    trail.slot = owned.slot[row]!;
    trail.seenMs = nowMs;
    trail.places.push(owned.pose[row * 7]!, owned.pose[row * 7 + 1]!, owned.pose[row * 7 + 2]!);
    if (trail.places.length > placesMax * 3) trail.places.splice(0, 3);
  }

  #upload(): void {
    let vertex = 0;
    for (const { places, slot, actor } of this.#trails.values()) {
      const [r, g, b] = workerRgb(slot);
      this.#tint.setRGB(r, g, b, THREE.SRGBColorSpace);
      const count = places.length / 3;
      for (let i = 0; i + 1 < count; ++i) {
        for (const end of [i, i + 1]) {
          const strength = ((end / count) ** 1.6) * (actor ? 0.75 : 0.35);
          this.#position.setXYZ(vertex, places[end * 3]!, places[end * 3 + 1]!, places[end * 3 + 2]!);
          this.#color.setXYZW(vertex, this.#tint.r, this.#tint.g, this.#tint.b, strength);
          ++vertex;
        }
      }
    }
    for (const attribute of [this.#position, this.#color]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, vertex * attribute.itemSize);
      attribute.needsUpdate = true;
    }
    this.object.geometry.setDrawRange(0, vertex);
  }
}

/** Entities that are larger than a point: the boxes of their bounds, to scale, as in a blueprint. */
import * as THREE from 'three';
import type { Kind } from '../api/types.js';
import type { Entities } from '../model/entities.js';
import { workerRgb } from '../ui/palette.js';

const largeM = 6;
const boxesMax = 2000;

const vertex = /* glsl */ `
attribute vec3 at, before, middle, size, color;
attribute vec4 turn;
attribute vec2 moved; // when, and how long after the observation before, in milliseconds
uniform float nowMs;
varying vec3 vColor;
varying float vUp;

void main() {
  float share = moved.y <= 0.0 ? 1.0 : clamp((nowMs - moved.x) / min(moved.y, 150.0), 0.0, 1.0);
  vec3 p = middle + position * size;
  p += 2.0 * cross(turn.xyz, cross(turn.xyz, p) + turn.w * p);
  vColor = color;
  vUp = position.y + 0.5;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(p + mix(before, at, share), 1.0);
}
`;

function fragment(alpha: string): string {
  return `varying vec3 vColor; varying float vUp;
    void main() { gl_FragColor = vec4(vColor, ${alpha}); \n#include <colorspace_fragment>\n }`;
}

const columns = [
  ['at', 3], ['before', 3], ['middle', 3], ['size', 3], ['turn', 4], ['color', 3], ['moved', 2],
] as const;

export class LargeBoxes {
  readonly object = new THREE.Group();
  readonly #entities: Entities;
  readonly #attributes = new Map<string, THREE.InstancedBufferAttribute>();
  readonly #geometries: THREE.InstancedBufferGeometry[] = [];
  readonly #materials: THREE.ShaderMaterial[] = [];
  readonly #color = new THREE.Color();

  constructor(entities: Entities) {
    this.#entities = entities;
    for (const [name, size] of columns) {
      const attribute = new THREE.InstancedBufferAttribute(new Float32Array(boxesMax * size), size);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.#attributes.set(name, attribute);
    }
    const box = new THREE.BoxGeometry(1, 1, 1);
    const fill = new THREE.Mesh(this.#instanced(box), this.#material(fragment('0.12 + 0.2 * vUp'), true));
    const edges = new THREE.LineSegments(
      this.#instanced(new THREE.EdgesGeometry(box)), this.#material(fragment('0.9'), false),
    );
    fill.renderOrder = 2;
    edges.renderOrder = 3;
    for (const each of [fill, edges]) each.frustumCulled = false;
    this.object.add(fill, edges);
  }

  /** After an observation. */
  upload(kinds: readonly Kind[]): void {
    const { owned } = this.#entities;
    let count = 0;
    for (let row = 0; row < owned.count && count < boxesMax; ++row) {
      const kind = kinds[owned.type[row]!];
      if (kind && extent(kind) >= largeM) this.#put(count++, row, kind);
    }
    for (const attribute of this.#attributes.values()) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
    for (const geometry of this.#geometries) geometry.instanceCount = count;
    this.object.visible = count > 0;
  }

  /** Each frame. */
  tick(nowMs: number): void {
    for (const material of this.#materials) material.uniforms['nowMs']!.value = nowMs;
  }

  dispose(): void {
    for (const each of [...this.#geometries, ...this.#materials]) each.dispose();
  }

  #put(instance: number, row: number, { lowM, highM }: Kind): void {
    const { owned } = this.#entities;
    const place = row * 7;
    const set = (name: string, i: number, value: number) => {
      const attribute = this.#attributes.get(name)!;
      attribute.array[instance * attribute.itemSize + i] = value;
    };
    for (let i = 0; i < 3; ++i) {
      set('at', i, owned.pose[place + i]!);
      set('before', i, owned.before[place + i]!);
      set('middle', i, (lowM[i]! + highM[i]!) / 2);
      set('size', i, highM[i]! - lowM[i]!);
    }
    for (let i = 0; i < 4; ++i) set('turn', i, owned.pose[place + 3 + i]!);
    const [r, g, b] = workerRgb(owned.slot[row]!);
    this.#color.setRGB(r, g, b, THREE.SRGBColorSpace).toArray().forEach((value, i) => set('color', i, value));
    set('moved', 0, owned.movedMs[row]!);
    set('moved', 1, owned.stepMs[row]!);
  }

  #instanced(shape: THREE.BufferGeometry): THREE.InstancedBufferGeometry {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setIndex(shape.getIndex());
    geometry.setAttribute('position', shape.getAttribute('position'));
    for (const [name, attribute] of this.#attributes) geometry.setAttribute(name, attribute);
    geometry.instanceCount = 0;
    this.#geometries.push(geometry);
    return geometry;
  }

  #material(fragmentShader: string, fills: boolean): THREE.ShaderMaterial {
    const material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader,
      uniforms: { nowMs: { value: 0 } },
      transparent: true,
      depthWrite: false,
      side: fills ? THREE.FrontSide : THREE.DoubleSide,
    });
    this.#materials.push(material);
    return material;
  }
}

function extent({ lowM, highM }: Kind): number {
  return Math.max(...lowM.map((low, i) => highM[i]! - low));
}

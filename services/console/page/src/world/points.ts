/** Entities as points: what changes ten times a second is uploaded as it is, the rest happens on the graphics card. */
import * as THREE from 'three';
import type { Rows } from '../model/entities.js';
import { workerRgb } from '../ui/palette.js';

/** Slots beyond share the colours of others, as everywhere. */
const colorsInShader = 10;

const vertex = /* glsl */ `
attribute vec3 before;
attribute float slot, flags, movedMs, stepMs;
uniform float nowMs, pixels, hollow;
uniform vec3 colors[${colorsInShader}];
varying vec3 vColor;
varying float vPlayer, vResting;

void main() {
  float share = stepMs <= 0.0 ? 1.0 : clamp((nowMs - movedMs) / min(stepMs, 150.0), 0.0, 1.0);
  vec4 at = modelViewMatrix * vec4(mix(before, position, share), 1.0);
  gl_Position = projectionMatrix * at;
  vPlayer = mod(floor(flags / 4.0), 2.0);
  vResting = mod(floor(flags / 2.0), 2.0);
  vColor = colors[int(mod(slot + 0.5, ${colorsInShader}.0))];
  float near = clamp(900.0 / max(-at.z, 1.0), 0.0, 2.4);
  gl_PointSize = ((vPlayer > 0.5 ? 8.5 + 2.0 * near : 3.4 + 1.8 * near) + hollow * 6.0) * pixels;
}
`;

const fragment = /* glsl */ `
uniform float hollow;
varying vec3 vColor;
varying float vPlayer, vResting;

void main() {
  float r = length(gl_PointCoord - 0.5) * 2.0;
  float soft = fwidth(r) * 1.2;
  float disc = 1.0 - smoothstep(1.0 - soft, 1.0, r);
  float ring = disc * smoothstep(0.72, 0.72 + soft, r);
  float alpha = hollow > 0.5 ? ring * 0.75 : vResting > 0.5 && vPlayer < 0.5 ? disc * 0.55 : disc;
  vec3 color = vColor;
  if (vPlayer > 0.5 && hollow < 0.5) {
    color = mix(vec3(0.96, 0.98, 1.0), vColor, smoothstep(0.42, 0.5, r));
    alpha *= r > 0.42 && r < 0.6 ? 0.15 : 1.0;
  }
  if (alpha < 0.02) discard;
  gl_FragColor = vec4(color, alpha);
  #include <colorspace_fragment>
}
`;

export function pointColors(): THREE.Color[] {
  return Array.from({ length: colorsInShader }, (_, slot) => {
    const [r, g, b] = workerRgb(slot);
    return new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
  });
}

export class EntityPoints {
  readonly object: THREE.Points;
  readonly #rows: Rows;
  readonly #material: THREE.ShaderMaterial;
  #pose: THREE.InterleavedBuffer | undefined;
  #before: THREE.InterleavedBuffer | undefined;
  readonly #columns = new Map<string, THREE.BufferAttribute>();

  /** `hollow`: as rings. */
  constructor(rows: Rows, hollow: boolean) {
    this.#rows = rows;
    this.#material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: {
        nowMs: { value: 0 }, pixels: { value: 1 }, hollow: { value: hollow ? 1 : 0 }, colors: { value: pointColors() },
      },
      transparent: true,
      depthWrite: false,
    });
    this.object = new THREE.Points(new THREE.BufferGeometry(), this.#material);
    this.object.frustumCulled = false;
    this.object.renderOrder = hollow ? 4 : 5;
  }

  /** Each frame. */
  tick(nowMs: number, pixels: number): void {
    this.#material.uniforms['nowMs']!.value = nowMs;
    this.#material.uniforms['pixels']!.value = pixels;
  }

  /** After an observation. */
  upload(): void {
    const rows = this.#rows;
    if (this.#pose?.array !== rows.pose) this.#attach();
    const poses = rows.count * 7;
    for (const buffer of [this.#pose!, this.#before!]) {
      buffer.clearUpdateRanges();
      buffer.addUpdateRange(0, poses);
      buffer.needsUpdate = true;
    }
    for (const column of this.#columns.values()) {
      column.clearUpdateRanges();
      column.addUpdateRange(0, rows.count);
      column.needsUpdate = true;
    }
    this.object.geometry.setDrawRange(0, rows.count);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.#material.dispose();
  }

  /** The rows have other arrays since they have grown. */
  #attach(): void {
    const rows = this.#rows;
    this.object.geometry.dispose();
    const geometry = (this.object.geometry = new THREE.BufferGeometry());
    this.#pose = new THREE.InterleavedBuffer(rows.pose, 7);
    this.#before = new THREE.InterleavedBuffer(rows.before, 7);
    geometry.setAttribute('position', new THREE.InterleavedBufferAttribute(this.#pose, 3, 0));
    geometry.setAttribute('before', new THREE.InterleavedBufferAttribute(this.#before, 3, 0));
    this.#columns.clear();
    for (const [name, array] of [
      ['slot', rows.slot], ['flags', rows.flags], ['movedMs', rows.movedMs], ['stepMs', rows.stepMs],
    ] as const) {
      const column = new THREE.BufferAttribute(array, 1);
      column.setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(name, column);
      this.#columns.set(name, column);
    }
  }
}

/** Migrations: a ring in the colour of the new owner, for a second. */
import * as THREE from 'three';
import type { Migration } from '../model/entities.js';
import { pointColors } from './points.js';

const flashesMax = 128;
const shownMs = 1400;

export class Flashes {
  readonly object: THREE.Points;
  readonly #position = new THREE.BufferAttribute(new Float32Array(flashesMax * 3), 3);
  readonly #age = new THREE.BufferAttribute(new Float32Array(flashesMax), 1);
  readonly #slot = new THREE.BufferAttribute(new Float32Array(flashesMax), 1);
  readonly #material: THREE.ShaderMaterial;

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.#position);
    geometry.setAttribute('age', this.#age);
    geometry.setAttribute('slot', this.#slot);
    this.#material = new THREE.ShaderMaterial({
      uniforms: { colors: { value: pointColors() }, pixels: { value: 1 } },
      vertexShader: `attribute float age, slot; uniform vec3 colors[10]; uniform float pixels; varying vec3 vColor; varying float vAge;
        void main() {
          vAge = age; vColor = colors[int(mod(slot + 0.5, 10.0))];
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
          gl_PointSize = (10.0 + 58.0 * sqrt(age)) * pixels;
        }`,
      fragmentShader: `varying vec3 vColor; varying float vAge;
        void main() {
          float r = length(gl_PointCoord - 0.5) * 2.0;
          float ring = smoothstep(0.8, 0.92, r) * (1.0 - smoothstep(0.94, 1.0, r));
          float glow = (1.0 - smoothstep(0.0, 1.0, r)) * 0.28;
          gl_FragColor = vec4(mix(vColor, vec3(1.0), 0.35), (ring + glow) * (1.0 - vAge));
          #include <colorspace_fragment>
        }`,
      transparent: true,
      depthWrite: false,
      depthTest: false,
      blending: THREE.AdditiveBlending,
    });
    this.object = new THREE.Points(geometry, this.#material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 8;
  }

  draw(migrations: readonly Migration[], nowMs: number, pixels: number): void {
    let count = 0;
    for (let i = migrations.length - 1; i >= 0 && count < flashesMax; --i) {
      const { x, y, z, to, atMs } = migrations[i]!;
      const age = (nowMs - atMs) / shownMs;
      if (age >= 1) break;
      this.#position.setXYZ(count, x, y, z);
      this.#age.setX(count, age);
      this.#slot.setX(count, to);
      ++count;
    }
    this.#material.uniforms['pixels']!.value = pixels;
    this.object.geometry.setDrawRange(0, count);
    this.object.visible = count > 0;
    if (count > 0) this.#position.needsUpdate = this.#age.needsUpdate = this.#slot.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.#material.dispose();
  }
}

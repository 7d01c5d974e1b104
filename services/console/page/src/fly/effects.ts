/** Shots, arrows and puffs of dust, for fractions of a second. */
import * as THREE from 'three';

const linesMax = 48;
const shotMs = 130;
const arrowM_s = 60;
const arrowMs = 2200;
const puffMs = 420;

interface Line {
  kind: 'shot' | 'arrow' | 'puff';
  bornMs: number;
  lengthM: number;
  from: [number, number, number];
  to: [number, number, number];
}

const lifeMs = { shot: shotMs, arrow: arrowMs, puff: puffMs };
const colors = { shot: new THREE.Color('#bcd6ff'), arrow: new THREE.Color('#ffe3b8'), puff: new THREE.Color('#b3a58f') };

/** World coordinates come and go; what is drawn is relative to the camera's origin. */
export class Effects {
  readonly object: THREE.LineSegments;
  readonly #lines: Line[] = [];
  readonly #position = new THREE.BufferAttribute(new Float32Array(linesMax * 6), 3);
  readonly #color = new THREE.BufferAttribute(new Float32Array(linesMax * 6), 3);

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.#position);
    geometry.setAttribute('color', this.#color);
    this.object = new THREE.LineSegments(
      geometry,
      new THREE.LineBasicMaterial({ vertexColors: true, blending: THREE.AdditiveBlending, depthWrite: false, toneMapped: false }),
    );
    this.object.frustumCulled = false;
  }

  add(kind: Line['kind'], nowMs: number, from: THREE.Vector3, direction: THREE.Vector3, lengthM: number,
    origin: readonly number[]): void {
    const start: [number, number, number] = [from.x + origin[0]!, from.y + origin[1]!, from.z + origin[2]!];
    this.#lines.push({
      kind, bornMs: nowMs, lengthM, from: start, to: [direction.x, direction.y, direction.z],
    });
    if (this.#lines.length > linesMax) this.#lines.shift();
  }

  puff(nowMs: number, at: THREE.Vector3, origin: readonly number[], kind: 'puff' | 'shot' = 'puff'): void {
    const direction = new THREE.Vector3();
    for (let i = 0; i < 7; ++i) {
      direction.setFromSphericalCoords(1, 0.3 + (i % 3) * 0.35, i * 0.9);
      this.add(kind, nowMs, at, direction, 0.5, origin);
    }
  }

  draw(nowMs: number, origin: readonly number[]): void {
    while (this.#lines[0] && nowMs - this.#lines[0].bornMs > lifeMs[this.#lines[0].kind]) this.#lines.shift();
    let end = 0;
    for (const { kind, bornMs, lengthM, from, to } of this.#lines) {
      const ageMs = nowMs - bornMs;
      const left = 1 - ageMs / lifeMs[kind];
      if (left <= 0) continue;
      const [near, far] = span(kind, ageMs, lengthM);
      for (const [which, alongM] of [[0, near], [1, far]] as const) {
        const i = end * 2 + which;
        const dropM = kind === 'arrow' ? 4.9 * (alongM / arrowM_s) ** 2 : 0;
        this.#position.setXYZ(
          i, from[0] - origin[0]! + to[0] * alongM, from[1] - origin[1]! + to[1] * alongM - dropM,
          from[2] - origin[2]! + to[2] * alongM,
        );
        const { r, g, b } = colors[kind];
        const bright = left * (which === 0 && kind === 'shot' ? 0.25 : 1);
        this.#color.setXYZ(i, r * bright, g * bright, b * bright);
      }
      ++end;
    }
    this.object.geometry.setDrawRange(0, end * 2);
    this.object.visible = end > 0;
    this.#position.needsUpdate = this.#color.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    (this.object.material as THREE.Material).dispose();
  }
}

/** From where to where along its way a line is drawn. */
function span(kind: Line['kind'], ageMs: number, lengthM: number): [number, number] {
  if (kind === 'shot') return [Math.min(lengthM, ageMs * 0.6), lengthM];
  if (kind === 'arrow') return [(ageMs / 1000) * arrowM_s, Math.min(lengthM, (ageMs / 1000) * arrowM_s + 1.1)];
  return [lengthM * (ageMs / puffMs) * 0.6, lengthM * (ageMs / puffMs) * 0.6 + 0.09];
}

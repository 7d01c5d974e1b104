/** Skiff's shapes that are more than blocks: crates, persons, and paint on the station's deck. */
import * as THREE from 'three';
import { Parts, at } from '../draw/parts.js';

const light = '#8fb6ff';

type Point = [number, number, number];

export function crateParts(): Parts {
  const parts = new Parts();
  const [frame, panel, h, w] = ['#8d7a5d', '#6e5f49', 0.5, 0.085];
  parts.block({ low: [-h + 0.03, -h + 0.03, -h + 0.03], high: [h - 0.03, h - 0.03, h - 0.03], color: panel });
  for (let axis = 0; axis < 3; ++axis) {
    for (const a of [-1, 1]) {
      for (const b of [-1, 1]) {
        const low: Point = [-h, -h, -h];
        const high: Point = [h, h, h];
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        low[u] = a < 0 ? -h : h - w;
        high[u] = a < 0 ? -h + w : h;
        low[v] = b < 0 ? -h : h - w;
        high[v] = b < 0 ? -h + w : h;
        parts.block({ low, high, color: frame });
      }
    }
  }
  return parts;
}

/** A person in a suit, 1.8 m tall, who looks along +z; the middle is at the origin. */
export function person(): Parts {
  const suit = '#8f99a8';
  const plate = '#cdd5df';
  const joint = '#333a45';
  const parts = new Parts();
  const lathe = (points: [number, number][]) =>
    new THREE.LatheGeometry(points.map(([r, y]) => new THREE.Vector2(r, y)), 20);
  const capsule = (radius: number, length: number) => new THREE.CapsuleGeometry(radius, length, 4, 12);
  const flat = (x: number, z: number) => new THREE.Matrix4().makeScale(x, 1, z);
  const torso = lathe([[0.001, -0.14], [0.17, -0.13], [0.185, -0.04], [0.165, 0.06], [0.21, 0.3], [0.2, 0.43], [0.11, 0.5], [0.001, 0.51]]);
  parts.solid(torso.applyMatrix4(flat(1.08, 0.78)), { color: suit });
  parts.solid(lathe([[0.186, -0.1], [0.196, -0.08], [0.196, -0.02], [0.18, 0]]).applyMatrix4(flat(1.08, 0.8)), { color: joint });
  parts.solid(lathe([[0.1, 0.47], [0.145, 0.5], [0.145, 0.545], [0.1, 0.57]]), { color: joint });
  parts.solid(new THREE.BoxGeometry(0.24, 0.15, 0.05), { color: joint }, at(0, 0.28, 0.15));
  parts.solid(new THREE.BoxGeometry(0.06, 0.025, 0.01), { color: light, glow: 1 }, at(0.05, 0.31, 0.18));
  parts.solid(new THREE.SphereGeometry(0.165, 24, 18).applyMatrix4(new THREE.Matrix4().makeScale(0.94, 1.04, 1)), { color: plate }, at(0, 0.715, 0));
  parts.solid(new THREE.SphereGeometry(0.158, 22, 12, Math.PI * 0.13, Math.PI * 0.74, Math.PI * 0.3, Math.PI * 0.34),
    { color: '#5b8fe8', glow: 0.5 }, at(0, 0.715, 0.022));
  parts.solid(new THREE.BoxGeometry(0.3, 0.44, 0.15), { color: plate }, at(0, 0.23, -0.215));
  parts.solid(new THREE.BoxGeometry(0.24, 0.1, 0.12), { color: joint }, at(0, -0.02, -0.21));
  for (const side of [-1, 1]) {
    parts.solid(new THREE.BoxGeometry(0.022, 0.26, 0.012), { color: light, glow: 1 }, at(0.095 * side, 0.25, -0.294));
    parts.solid(new THREE.SphereGeometry(0.095, 14, 10), { color: plate, limb: 2 * side }, at(0.255 * side, 0.39, 0));
    parts.solid(capsule(0.062, 0.2), { color: suit, limb: 2 * side }, at(0.285 * side, 0.23, 0.01, 0.05, 0, 0.12 * side));
    parts.solid(capsule(0.056, 0.2), { color: plate, limb: 2 * side }, at(0.31 * side, 0.0, 0.05, -0.3, 0, 0.04 * side));
    parts.solid(new THREE.SphereGeometry(0.062, 10, 8), { color: joint, limb: 2 * side }, at(0.315 * side, -0.14, 0.1));
    parts.solid(capsule(0.086, 0.24), { color: suit, limb: side }, at(0.1 * side, -0.29, 0, 0, 0, 0.03 * side));
    parts.solid(lathe([[0.08, -0.52], [0.092, -0.5], [0.092, -0.45], [0.08, -0.43]]), { color: joint, limb: side }, at(0.108 * side, -0.02, 0));
    parts.solid(capsule(0.074, 0.22), { color: plate, limb: side }, at(0.112 * side, -0.63, 0));
    parts.solid(new THREE.BoxGeometry(0.14, 0.1, 0.26), { color: joint, limb: side }, at(0.112 * side, -0.85, 0.045));
  }
  return parts;
}

/** What is painted on the station's deck: landing pads, and the way to the hall. */
export function stationPaint(parts: Parts): Parts {
  const liftedM = 0.022; // above the deck, so that it does not flicker far away
  const flat = (x: number, z: number) => at(x, liftedM, z, -Math.PI / 2);
  const paint = '#6b7687';
  for (const [x, z] of [[62, -24], [62, 24]] as const) {
    parts.solid(new THREE.RingGeometry(17.7, 18, 96), { color: paint, glow: 0.12 }, flat(x, z));
    parts.solid(new THREE.RingGeometry(9.85, 10, 72), { color: light, glow: 0.55 }, flat(x, z));
    for (let i = 0; i < 12; ++i) {
      const angle = (i / 12) * 2 * Math.PI;
      const mark = new THREE.PlaneGeometry(0.35, 3.2).translate(0, 14, 0).rotateZ(angle);
      parts.solid(mark, { color: i % 3 === 0 ? light : paint, glow: i % 3 === 0 ? 0.55 : 0.12 }, flat(x, z));
    }
    parts.solid(new THREE.CircleGeometry(0.7, 32), { color: light, glow: 0.5 }, flat(x, z));
  }
  for (let x = 2; x < 44; x += 3) {
    parts.solid(new THREE.PlaneGeometry(1.8, 0.22), { color: paint, glow: 0.15 }, flat(x, 0));
  }
  for (const z of [-56, 56]) parts.solid(new THREE.PlaneGeometry(190, 0.18), { color: paint, glow: 0.1 }, flat(0, z));
  for (let z = -54; z < 56; z += 4) {
    parts.solid(new THREE.PlaneGeometry(0.5, 2), { color: '#c9a25a', glow: 0.2 }, flat(97.6, z));
  }
  return parts;
}

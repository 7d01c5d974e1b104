/** A colour for each player's suit. */
import * as THREE from 'three';

const own = new THREE.Color('#ffffff');
const others = Array.from({ length: 12 }, (_, i) => new THREE.Color().setHSL((i * 0.618034) % 1, 0.42, 0.66));

export function suitColor(handle: number, isOwn: boolean): THREE.Color {
  return isOwn ? own : others[(Math.imul(handle, 2654435761) >>> 8) % others.length]!;
}

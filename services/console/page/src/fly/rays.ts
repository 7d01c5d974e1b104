/** Rays through the blocks of entities: what the player looks at, and what is before the camera. */
import * as THREE from 'three';
import type { Model } from '../draw/parts.js';
import type { Usable } from './skiff_models.js';

export interface Hit {
  distanceM: number;
  /** Number of the body among those that were searched; -1: ground. */
  body: number;
}

/** An entity that a ray may hit; positions relative to the camera's origin. The next frame uses the object again. */
export interface Body {
  handle: number;
  typeName: string;
  model: Model;
  reachM: number;
  /** How a player can use it. */
  use: Usable | undefined;
  position: THREE.Vector3;
  rotation: THREE.Quaternion;
}

const localFrom = new THREE.Vector3();
const localTo = new THREE.Vector3();
const inverse = new THREE.Quaternion();

/** The nearest hit within `maxM`. `passes`: bodies that the ray ignores. */
export function cast(
  bodies: readonly Body[], from: THREE.Vector3, direction: THREE.Vector3, maxM: number,
  passes: (body: Body) => boolean,
): Hit | undefined {
  let best: Hit | undefined;
  for (let i = 0; i < bodies.length; ++i) {
    const body = bodies[i]!;
    const withinM = maxM + body.reachM;
    if (body.position.distanceToSquared(from) > withinM * withinM || passes(body)) continue;
    inverse.copy(body.rotation).invert();
    localFrom.copy(from).sub(body.position).applyQuaternion(inverse);
    localTo.copy(direction).applyQuaternion(inverse);
    for (const block of body.model.blocks) {
      if (block.decor || block.yawRad) continue;
      const distanceM = slabs(localFrom, localTo, block.low, block.high);
      if (distanceM < (best?.distanceM ?? maxM)) best = { distanceM, body: i };
    }
  }
  return best;
}

/** Distance to a box; infinite: missed, or the ray begins inside. */
function slabs(from: THREE.Vector3, to: THREE.Vector3, low: readonly number[], high: readonly number[]): number {
  let enter = -Infinity;
  let leave = Infinity;
  for (let axis = 0; axis < 3; ++axis) {
    const [f, t] = [from.getComponent(axis), to.getComponent(axis)];
    if (Math.abs(t) < 1e-9) {
      if (f < low[axis]! || f > high[axis]!) return Infinity;
      continue;
    }
    const [a, b] = [(low[axis]! - f) / t, (high[axis]! - f) / t];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter <= leave && enter > 0 ? enter : Infinity;
}

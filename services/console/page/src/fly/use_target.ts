/** The entity that the player would use: as accept_use() of Skiff decides. */
import * as THREE from 'three';
import type { Body } from './rays.js';
import { usable, useReachM } from './skiff_models.js';

export interface UseTarget {
  handle: number;
  sentence: string;
}

const seat = new THREE.Vector3();
const away = new THREE.Vector3();
const lookWeightM = 2.2;
/** The middle of a body that can be used is nearer than this. */
const farM = Math.max(
  ...Object.values(usable).map(({ seat, strokeM }) => useReachM + (strokeM ?? 0) + Math.hypot(...(seat ?? []))),
);

/** The best one within reach: near, and in the middle of the picture. `avatar`: its middle. */
export function useTarget(
  bodies: readonly Body[], avatar: THREE.Vector3, direction: THREE.Vector3, helm: number,
): UseTarget | undefined {
  if (helm !== 0) return { handle: helm, sentence: 'leave the helm' };
  let best: UseTarget | undefined;
  let bestM = Infinity;
  for (const body of bodies) {
    const kind = body.use;
    if (!kind || away.copy(body.position).sub(avatar).lengthSq() > farM * farM) continue;
    seat.set(...(kind.seat ?? [0, 0, 0])).applyQuaternion(body.rotation).add(body.position);
    away.copy(seat).sub(avatar);
    const distanceM = Math.min(
      away.length(), ...[-1, 1].map((way) => Math.hypot(away.x, away.y + way * (kind.strokeM ?? 0), away.z)),
    );
    if (distanceM > useReachM) continue;
    const facing = away.lengthSq() < 0.01 ? 1 : away.normalize().dot(direction);
    const scoreM = distanceM + lookWeightM * (1 - facing);
    if (scoreM < bestM) {
      bestM = scoreM;
      best = { handle: body.handle, sentence: kind.verb };
    }
  }
  return best;
}

/** Whether a character at this place of the frame is at its helm. */
export function atHelm(frameType: string | undefined, local: ArrayLike<number>): boolean {
  const at = frameType === undefined ? undefined : usable[frameType]?.seat;
  if (!at) return false;
  return Math.hypot(local[0]! - at[0], local[1]! - at[1], local[2]! - at[2]) < 0.06;
}

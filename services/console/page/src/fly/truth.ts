/** The server's picture: entities as their workers have them, from the observation stream. */
import * as THREE from 'three';
import { entities } from '../app/state.js';
import { ghostFlag } from '../model/entities.js';

const stepMsMax = 130;
const pose = new Float32Array(7);
const at = new THREE.Quaternion();
const to = new THREE.Quaternion();

export interface TruePose {
  position: THREE.Vector3;
  rotation: THREE.Quaternion;
  parent: number;
  slot: number;
}

/** Between the last two observations: they come ten times a second. */
export function blendInto(row: number, nowMs: number, out: Float32Array): void {
  const rows = entities.owned;
  const stepMs = Math.min(rows.stepMs[row]!, stepMsMax);
  const share = stepMs <= 0 ? 1 : Math.min(1, (nowMs - rows.movedMs[row]!) / stepMs);
  const place = row * 7;
  for (let i = 0; i < 3; ++i) {
    const before = rows.before[place + i]!;
    out[i] = before + (rows.pose[place + i]! - before) * share;
  }
  at.fromArray(rows.before, place + 3).slerp(to.fromArray(rows.pose, place + 3), share);
  at.toArray(out, 3);
}

/** An entity as its worker has it; undefined: no worker has it. */
export function truePose(handle: number, nowMs: number): TruePose | undefined {
  const row = entities.owned.find(handle);
  if (row === undefined) return undefined;
  blendInto(row, nowMs, pose);
  return {
    position: new THREE.Vector3().fromArray(pose),
    rotation: new THREE.Quaternion().fromArray(pose, 3),
    parent: entities.owned.parent[row]!,
    slot: entities.owned.slot[row]!,
  };
}

/** Calls `put` for each entity that a worker owns. */
export function eachTruth(
  nowMs: number, put: (handle: number, type: number, parent: number, pose: Float32Array) => void,
): number {
  const rows = entities.owned;
  for (let row = 0; row < rows.count; ++row) {
    if ((rows.flags[row]! & ghostFlag) !== 0) continue;
    blendInto(row, nowMs, pose);
    put(rows.handle[row]!, rows.type[row]!, rows.parent[row]!, pose);
  }
  return rows.count;
}

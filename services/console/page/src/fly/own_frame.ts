/** Where the own avatar is, and in whose frame. */
import type { Entity, Scene } from '@perigee/client';
import * as THREE from 'three';
import { atHelm } from './use_target.js';

/** Looks are relative to the parent. */
export interface Look {
  yawRad: number;
  pitchRad: number;
}

export class OwnFrame {
  /** World position in double precision: what is drawn is relative to it. */
  readonly origin = [0, 0, 0];
  readonly turn = new THREE.Quaternion();
  handle = 0;
  parent = 0;
  parentType: string | undefined;
  local: Float64Array | undefined;
  /** The vehicle that the player steers; 0: none. */
  helm = 0;
  readonly #newTurn = new THREE.Quaternion();

  follow(scene: Scene, typeName: (type: number) => string | undefined, look: Look): void {
    const { own } = scene;
    if (!own) return;
    for (let i = 0; i < 3; ++i) this.origin[i] = own.worldPositionM[i]!;
    this.handle = own.handle;
    this.local = own.localPositionM;
    const frame = find(scene, own.parent);
    const turn = this.#newTurn.identity();
    if (frame) turn.fromArray(frame.worldRotation);
    if (own.parent !== this.parent) this.#keepLooking(look, turn);
    this.turn.copy(turn);
    this.parent = own.parent;
    this.parentType = frame && typeName(frame.type);
    this.helm = atHelm(this.parentType, own.localPositionM) ? own.parent : 0;
  }

  /** Another parent must not turn the picture. */
  #keepLooking(look: Look, frame: THREE.Quaternion): void {
    const ahead = new THREE.Vector3(0, 0, 1)
      .applyEuler(new THREE.Euler(-look.pitchRad, look.yawRad, 0, 'YXZ'))
      .applyQuaternion(this.turn)
      .applyQuaternion(frame.clone().invert());
    look.yawRad = Math.atan2(ahead.x, ahead.z);
    look.pitchRad = Math.asin(Math.max(-1, Math.min(1, ahead.y)));
  }
}

export function find(scene: Scene, handle: number): Entity | undefined {
  if (handle === 0) return undefined;
  for (let i = 0; i < scene.count; ++i) if (scene.at(i).handle === handle) return scene.at(i);
  return undefined;
}

/** The server's picture, from the same place aboard. */
import * as THREE from 'three';
import { cluster } from '../app/state.js';
import type { Stage } from '../draw/stage.js';
import type { Ground } from './ground_meshes.js';
import { fromOrigin } from './mine_view.js';
import type { Models } from './models.js';
import type { OwnFrame } from './own_frame.js';
import type { Body } from './rays.js';
import { suitColor } from './tints.js';
import { eachTruth, truePose } from './truth.js';
import { Walkers } from './walkers.js';

export class TruthView {
  count = 0;
  readonly #stage: Stage;
  readonly #models: Models;
  readonly #walkers = new Walkers();
  readonly #at = new THREE.Vector3();
  readonly #rotation = new THREE.Quaternion();

  constructor(stage: Stage, models: Models) {
    this.#stage = stage;
    this.#models = models;
  }

  /** `frame`: the own parent in the own picture. */
  put(own: OwnFrame, frame: Body | undefined, grounds: ReadonlyMap<number, Ground>, nowMs: number): void {
    const { matrix, turn } = shift(own, frame, nowMs);
    this.count = eachTruth(nowMs, (handle, type, parent, pose) => {
      const at = this.#at.set(...fromOrigin(pose, own.origin)).applyMatrix4(matrix);
      const rotation = this.#rotation.fromArray(pose, 3).premultiply(turn);
      const ground = grounds.get(handle);
      if (ground) {
        ground.placeTruth(this.#stage.scene, at, rotation);
        return;
      }
      const name = cluster.kinds[type]?.name ?? '';
      const model = this.#models.of(name, cluster.kinds);
      const kind = this.#stage.kind(name, model);
      const instance = kind.put(at.x, at.y, at.z, rotation.toArray());
      if (!model.walks) return;
      kind.tint(instance, suitColor(handle, handle === own.handle));
      const { phaseRad, swingRad } = this.#walkers.step(handle, parent, at.toArray(), nowMs);
      kind.walk(instance, phaseRad, swingRad);
    });
    this.#walkers.sweep(nowMs);
  }
}

/** Moves the server's world so that the own parent is where the own picture has it. */
function shift(own: OwnFrame, frame: Body | undefined, nowMs: number): { matrix: THREE.Matrix4; turn: THREE.Quaternion } {
  const trueFrame = truePose(own.parent, nowMs);
  const turn = new THREE.Quaternion();
  const matrix = new THREE.Matrix4();
  if (!frame || !trueFrame) return { matrix, turn };
  turn.copy(frame.rotation).multiply(trueFrame.rotation.clone().invert());
  const from = new THREE.Vector3(...fromOrigin(trueFrame.position.toArray(), own.origin)).applyQuaternion(turn);
  matrix.makeRotationFromQuaternion(turn).setPosition(frame.position.clone().sub(from));
  return { matrix, turn };
}

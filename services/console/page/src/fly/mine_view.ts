/** The player's own picture: the scene of the client library, with predicted avatar. */
import { flags, type Client, type Entity, type Scene } from '@perigee/client';
import * as THREE from 'three';
import { cluster } from '../app/state.js';
import { hullMaterial } from '../draw/hull_material.js';
import type { Stage } from '../draw/stage.js';
import { Ground } from './ground_meshes.js';
import { reachOf, type Models } from './models.js';
import { find, type OwnFrame } from './own_frame.js';
import type { Body } from './rays.js';
import { suitColor } from './tints.js';
import { truePose } from './truth.js';
import { Walkers } from './walkers.js';

const bodiesWithinM = 400;
/** Nearer than this, both are one. */
const togetherM = 0.12;
/** A steered ship is corrected by less in each block, by rounding: nobody sees that. */
const outlinedM = 0.01;
const hologramColor = '#ffb35c';

export class MineView {
  /** What rays may hit; positions relative to the origin. */
  readonly bodies: Body[] = [];
  readonly grounds = new Map<number, Ground>();
  smoothing = false;
  /** The camera is at the avatar's back: an outline would fill the picture. */
  close = false;
  typeCounts: Record<string, number> = {};
  readonly #stage: Stage;
  readonly #models: Models;
  readonly #walkers = new Walkers();
  readonly #reaches = new Map<string, number>();
  readonly #groundMaterial = hullMaterial();

  constructor(stage: Stage, models: Models) {
    this.#stage = stage;
    this.#models = models;
  }

  put(scene: Scene, client: Client, own: OwnFrame, nowMs: number, hideOwn: boolean): void {
    this.bodies.length = 0;
    this.typeCounts = {};
    this.smoothing = false;
    for (const entity of scene) {
      const name = client.typeName(entity.type) ?? '';
      this.typeCounts[name] = (this.typeCounts[name] ?? 0) + 1;
      this.#putOne(entity, name, own, nowMs, hideOwn);
    }
    this.#walkers.sweep(nowMs);
    for (const ground of this.grounds.values()) {
      ground.group.visible = ground.seen;
      if (ground.seen) ground.update(client);
      ground.seen = false;
    }
  }

  /** Where the server has the own avatar; seen from the own parent, because a ship moves on. */
  putServerGhost(scene: Scene, own: OwnFrame, nowMs: number): void {
    const at = truePose(own.handle, nowMs);
    if (!at) return;
    const frame = find(scene, at.parent);
    const trueFrame = truePose(at.parent, nowMs);
    if (frame && trueFrame) {
      const back = trueFrame.rotation.clone().invert();
      const turn = new THREE.Quaternion().fromArray(frame.worldRotation);
      at.position.sub(trueFrame.position).applyQuaternion(back).applyQuaternion(turn);
      at.position.add(new THREE.Vector3().fromArray(frame.worldPositionM));
      at.rotation.premultiply(back).premultiply(turn);
    }
    const [x, y, z] = fromOrigin(at.position.toArray(), own.origin);
    if (Math.hypot(x, y, z) < togetherM) return;
    const kind = this.#stage.kind('server ghost', this.#models.of('character', cluster.kinds), hologramColor);
    kind.put(x, y, z, at.rotation.toArray());
  }

  dispose(): void {
    for (const ground of this.grounds.values()) ground.dispose();
    this.#groundMaterial.dispose();
  }

  #putOne(entity: Entity, name: string, own: OwnFrame, nowMs: number, hideOwn: boolean): void {
    const [x, y, z] = fromOrigin(entity.worldPositionM, own.origin);
    if (name === 'ground') {
      this.#placeGround(entity, x, y, z);
      return;
    }
    const model = this.#models.of(name, cluster.kinds);
    this.#addBody(entity, name, x, y, z);
    const smoothing = (entity.flags & flags.smoothing) !== 0 && Math.hypot(...entity.smoothingM) > outlinedM;
    this.smoothing ||= smoothing;
    if (entity.own && hideOwn) return;
    const kind = this.#stage.kind(name, model);
    const instance = kind.put(x, y, z, entity.worldRotation);
    if (model.walks) {
      kind.tint(instance, suitColor(entity.handle, entity.own));
      const steers = entity.own && own.helm !== 0;
      const { phaseRad, swingRad } = this.#walkers.step(entity.handle, entity.parent, entity.localPositionM, nowMs);
      kind.walk(instance, phaseRad, steers ? 0 : swingRad);
    }
    if (smoothing && !(entity.own && this.close)) kind.outline();
  }

  #addBody({ handle, worldRotation }: Entity, typeName: string, x: number, y: number, z: number): void {
    const model = this.#models.of(typeName, cluster.kinds);
    let reachM = this.#reaches.get(typeName);
    if (reachM === undefined) this.#reaches.set(typeName, (reachM = reachOf(model)));
    if (Math.hypot(x, y, z) > bodiesWithinM + reachM) return;
    this.bodies.push({
      handle, typeName, model, reachM, position: new THREE.Vector3(x, y, z),
      rotation: new THREE.Quaternion().fromArray(worldRotation),
    });
  }

  #placeGround(entity: Entity, x: number, y: number, z: number): void {
    let ground = this.grounds.get(entity.handle);
    if (!ground) {
      ground = new Ground(entity.handle, this.#groundMaterial);
      this.grounds.set(entity.handle, ground);
      this.#stage.scene.add(ground.group);
    }
    ground.group.position.set(x, y, z);
    ground.group.quaternion.fromArray(entity.worldRotation);
    ground.seen = true;
  }
}

export function fromOrigin(world: ArrayLike<number>, origin: readonly number[]): [number, number, number] {
  return [world[0]! - origin[0]!, world[1]! - origin[1]!, world[2]! - origin[2]!];
}

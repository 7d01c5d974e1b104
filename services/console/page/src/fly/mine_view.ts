/** The player's own picture: the scene of the client library, with predicted avatar. */
import { flags, type Client, type Entity, type Scene } from '@perigee/client';
import * as THREE from 'three';
import { cluster } from '../app/state.js';
import { hullMaterial } from '../draw/hull_material.js';
import type { KindMeshes } from '../draw/kind_meshes.js';
import type { Model } from '../draw/parts.js';
import type { Stage } from '../draw/stage.js';
import { Ground } from './ground_meshes.js';
import { reachOf, type Models } from './models.js';
import { find, type OwnFrame } from './own_frame.js';
import type { Body } from './rays.js';
import { usable, type Usable } from './skiff_models.js';
import { suitColor } from './tints.js';
import { truePose } from './truth.js';
import { Walkers } from './walkers.js';

const bodiesWithinM = 400;
/** Nearer than this, both are one. */
const togetherM = 0.12;
/** A steered ship is corrected by less in each block, by rounding: nobody sees that. */
const outlinedM = 0.01;
const hologramColor = '#ffb35c';

/** What entities of a type have in common. */
interface Seen {
  name: string;
  model: Model;
  reachM: number;
  use: Usable | undefined;
  meshes: KindMeshes | undefined;
  /** In this frame. */
  count: number;
}

export class MineView {
  /** What rays may hit; positions relative to the origin. */
  readonly bodies: Body[] = [];
  readonly grounds = new Map<number, Ground>();
  smoothing = false;
  /** The camera is at the avatar's back: an outline would fill the picture. */
  close = false;
  readonly #stage: Stage;
  readonly #models: Models;
  readonly #walkers = new Walkers();
  /** By type; empty for types that were not seen yet. */
  readonly #types: (Seen | undefined)[] = [];
  #kinds = cluster.kinds;
  /** Bodies of former frames, which are used again. */
  readonly #pool: Body[] = [];
  #bodyCount = 0;
  readonly #groundMaterial = hullMaterial();

  constructor(stage: Stage, models: Models) {
    this.#stage = stage;
    this.#models = models;
  }

  put(scene: Scene, client: Client, own: OwnFrame, nowMs: number, hideOwn: boolean): void {
    if (this.#kinds !== cluster.kinds) this.#types.length = 0;
    this.#kinds = cluster.kinds;
    for (const type of this.#types) if (type) type.count = 0;
    this.#bodyCount = 0;
    this.smoothing = false;
    for (let i = 0; i < scene.count; ++i) {
      const entity = scene.at(i);
      const type = (this.#types[entity.type] ??= this.#seen(client.typeName(entity.type) ?? ''));
      ++type.count;
      this.#putOne(entity, type, own, nowMs, hideOwn);
    }
    this.bodies.length = this.#bodyCount;
    this.#walkers.sweep(nowMs);
    for (const ground of this.grounds.values()) {
      ground.group.visible = ground.seen;
      if (ground.seen) ground.update(client);
      ground.seen = false;
    }
  }

  get typeCounts(): Record<string, number> {
    return Object.fromEntries(this.#types.filter((type) => type?.count).map((type) => [type!.name, type!.count]));
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

  #seen(name: string): Seen {
    const model = this.#models.of(name, cluster.kinds);
    return { name, model, reachM: reachOf(model), use: usable[name], meshes: undefined, count: 0 };
  }

  #putOne(entity: Entity, type: Seen, own: OwnFrame, nowMs: number, hideOwn: boolean): void {
    const { worldPositionM: at } = entity;
    const { origin } = own;
    const x = at[0]! - origin[0]!, y = at[1]! - origin[1]!, z = at[2]! - origin[2]!;
    if (type.name === 'ground') {
      this.#placeGround(entity, x, y, z);
      return;
    }
    this.#addBody(entity, type, x, y, z);
    const smoothing = (entity.flags & flags.smoothing) !== 0 && length(entity.smoothingM) > outlinedM;
    this.smoothing ||= smoothing;
    if (entity.own && hideOwn) return;
    const kind = (type.meshes ??= this.#stage.kind(type.name, type.model));
    const instance = kind.put(x, y, z, entity.worldRotation);
    if (type.model.walks) {
      kind.tint(instance, suitColor(entity.handle, entity.own));
      const steers = entity.own && own.helm !== 0;
      const { phaseRad, swingRad } = this.#walkers.step(entity.handle, entity.parent, entity.localPositionM, nowMs);
      kind.walk(instance, phaseRad, steers ? 0 : swingRad);
    }
    if (smoothing && !(entity.own && this.close)) kind.outline();
  }

  #addBody({ handle, worldRotation }: Entity, { name, model, reachM, use }: Seen, x: number, y: number, z: number): void {
    const withinM = bodiesWithinM + reachM;
    if (x * x + y * y + z * z > withinM * withinM) return;
    const index = this.#bodyCount++;
    let body = this.#pool[index];
    if (!body) {
      body = { handle, typeName: name, model, reachM, use, position: new THREE.Vector3(), rotation: new THREE.Quaternion() };
      this.#pool[index] = body;
    }
    body.handle = handle;
    body.typeName = name;
    body.model = model;
    body.reachM = reachM;
    body.use = use;
    body.position.set(x, y, z);
    body.rotation.set(worldRotation[0]!, worldRotation[1]!, worldRotation[2]!, worldRotation[3]!);
    this.bodies[index] = body;
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

function length(at: ArrayLike<number>): number {
  return Math.sqrt(at[0]! * at[0]! + at[1]! * at[1]! + at[2]! * at[2]!);
}

export function fromOrigin(world: ArrayLike<number>, origin: readonly number[]): [number, number, number] {
  return [world[0]! - origin[0]!, world[1]! - origin[1]!, world[2]! - origin[2]!];
}

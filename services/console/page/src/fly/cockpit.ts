/** A player in the page: the session, the controls, and the picture of each frame. */
import { flags as entityFlags, type Cue, type Entity, type Scene, type Session, type Telemetry } from '@perigee/client';
import * as THREE from 'three';
import { cluster, live } from '../app/state.js';
import { ModelShapes, Stage } from '../draw/stage.js';
import { hullMaterial } from '../draw/hull_material.js';
import { Emitter } from '../model/emitter.js';
import { CameraRig } from './camera_rig.js';
import { Controls } from './controls.js';
import { Effects } from './effects.js';
import { FailoverWatch } from './failover.js';
import { FrameTimer } from './frame_timer.js';
import { Ground } from './ground_meshes.js';
import { Models, reachOf } from './models.js';
import { cast, type Body } from './rays.js';
import { Reaction } from './reaction.js';
import { Screen } from './renderer.js';
import { settingOf, techniques } from './techniques.js';
import { suitColor } from './tints.js';
import { eachTruth, truePose } from './truth.js';
import { atHelm, useTarget, type UseTarget } from './use_target.js';
import { Walkers } from './walkers.js';

const panelsEveryMs = 120;
const bodiesWithinM = 400;
const desyncM = 0.5;
const hologramColor = '#ffb35c';
const shotRangeM = 300;

export interface Options {
  canvas: HTMLCanvasElement;
  session: Session;
  playerName: string;
  clientId: bigint;
  onKey: (code: string) => void;
}

export class Cockpit extends Emitter {
  readonly session: Session;
  readonly playerName: string;
  readonly clientId: bigint;
  readonly controls: Controls;
  readonly rig = new CameraRig();
  readonly reaction = new Reaction();
  readonly failover = new FailoverWatch();
  readonly wasmTimes = new FrameTimer();
  readonly frameTimes = new FrameTimer();
  readonly intervals = new FrameTimer();
  /** Keys of the techniques that are off. */
  readonly off = new Set<string>();
  link = 'none';
  split = false;
  /** Shows where the server has the own avatar. */
  serverGhost = false;
  target: UseTarget | undefined;
  outlinedFrames = 0;
  smoothing = false;
  ownParentType: string | undefined;
  atHelm = false;
  helm = 0;
  /** Kinds of cues of the last moment, for marks on the screen. */
  readonly marks = { hitMs: -1e9, hurtMs: -1e9 };

  readonly #screen: Screen;
  readonly #shapes = new ModelShapes();
  readonly #models = new Models();
  readonly #mine: Stage;
  readonly #truth: Stage;
  readonly #effects = new Effects();
  readonly #walkers = new Walkers();
  readonly #trueWalkers = new Walkers();
  readonly #grounds = new Map<number, Ground>();
  readonly #groundMaterial = hullMaterial();
  readonly #bodies: Body[] = [];
  readonly #reaches = new Map<string, number>();
  readonly #stopWatching: () => void;
  readonly #origin = [0, 0, 0];
  readonly #avatar = new THREE.Vector3();
  readonly #frameTurn = new THREE.Quaternion();
  #parent = 0;
  #ownHandle = 0;
  #ownLocal: Float64Array | undefined;
  #request = 0;
  #lastMs = 0;
  #toldMs = 0;
  #count = 0;
  #typeCounts: Record<string, number> = {};
  #truthCount = 0;
  #telemetry: Telemetry | undefined;

  /** Throws if there is no WebGL. */
  constructor({ canvas, session, playerName, clientId, onKey }: Options) {
    super();
    this.#screen = new Screen(canvas);
    this.session = session;
    this.playerName = playerName;
    this.clientId = clientId;
    this.#mine = new Stage(this.#screen.renderer, this.#shapes, true);
    this.#truth = new Stage(this.#screen.renderer, this.#shapes, false);
    this.#mine.scene.add(this.#effects.object);
    this.controls = new Controls(canvas, {
      onKey: (code) => this.#onKey(code) || onKey(code),
      onUse: () => this.target?.handle ?? 0,
      onMoveKey: (atMs) => this.reaction.onKey(atMs),
    });
    this.#stopWatching = live.watchEntities();
    this.#request = requestAnimationFrame(this.#frame);
  }

  /** Leaves the world. */
  end(): void {
    cancelAnimationFrame(this.#request);
    this.controls.end();
    this.#stopWatching();
    this.session.leave();
    this.#mine.dispose();
    this.#truth.dispose();
    this.#effects.dispose();
    for (const ground of this.#grounds.values()) ground.dispose();
    this.#shapes.dispose();
    this.#groundMaterial.dispose();
    this.#screen.dispose();
  }

  get telemetry(): Telemetry | undefined {
    return this.#telemetry;
  }
  get framesPerSecond(): number {
    return 1000 / this.intervals.mean();
  }
  get sceneCount(): number {
    return this.#count;
  }
  get typeCounts(): Record<string, number> {
    return this.#typeCounts;
  }
  get truthCount(): number {
    return this.#truthCount;
  }
  get drawCalls(): number {
    return this.#screen.renderer.info.render.calls;
  }
  /** The own avatar: where it is drawn in the world, and in the frame of its parent. */
  get own(): { handle: number; parent: number; worldM: number[]; localM: number[] } | undefined {
    if (this.#ownHandle === 0 || !this.#ownLocal) return undefined;
    return { handle: this.#ownHandle, parent: this.#parent, worldM: [...this.#origin], localM: [...this.#ownLocal] };
  }
  /** Where the server has it. */
  get trueOwnM(): number[] | undefined {
    return truePose(this.#ownHandle, performance.now())?.position.toArray();
  }

  /** The worker that has the avatar; undefined: not known yet. */
  get workerSlot(): number | undefined {
    const slot = truePose(this.#ownHandle, performance.now())?.slot;
    if (slot !== undefined) return slot;
    const [x, y, z] = this.#origin as [number, number, number];
    return cluster.regionAt({ x, y, z })?.owner;
  }

  setTechnique(key: string, on: boolean): void {
    const technique = techniques.find((each) => each.key === key);
    if (!technique) return;
    this.session.client.use(settingOf(technique, on));
    if (on) this.off.delete(key);
    else this.off.add(key);
    this.reaction.restart();
    this.changed();
  }

  setLink(conditions: string): void {
    if (conditions === this.link) return;
    this.session.client.link(performance.now(), conditions);
    this.link = conditions;
    this.reaction.restart();
    this.changed();
  }

  desync(metres: number): void {
    const side = new THREE.Vector3(-metres, 0, 0).applyQuaternion(this.rig.turn);
    try {
      this.session.client.injectDesync(side.x, 0, side.z);
    } catch {
      return; // not playing: there is nothing to displace
    }
  }

  #onKey(code: string): boolean {
    const digit = /^Digit(\d)$/.exec(code)?.[1];
    if (digit === '0') {
      for (const key of [...this.off]) this.setTechnique(key, true);
    } else if (digit !== undefined) {
      const technique = techniques[Number(digit) - 1];
      if (technique) this.setTechnique(technique.key, this.off.has(technique.key));
    } else if (code === 'KeyE') this.desync(desyncM);
    else if (code === 'KeyR') this.desync(-desyncM);
    else if (code === 'KeyV') this.rig.firstPerson = !this.rig.firstPerson;
    else if (code === 'KeyB') this.serverGhost = !this.serverGhost;
    else if (code === 'KeyT') this.split = !this.split;
    else return false;
    this.changed();
    return true;
  }

  readonly #frame = (nowMs: number): void => {
    this.#request = requestAnimationFrame(this.#frame);
    const began = performance.now();
    let scene: Scene;
    try {
      scene = this.session.frame(nowMs, this.controls.sample(nowMs));
    } catch {
      cancelAnimationFrame(this.#request);
      this.changed(); // session.end has the reason
      return;
    }
    this.wasmTimes.add(performance.now() - began);
    const seconds = Math.min((nowMs - this.#lastMs) / 1000, 0.1);
    if (this.#lastMs > 0) this.intervals.add(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    this.#draw(scene, nowMs, seconds);
    const ended = performance.now();
    this.frameTimes.add(ended - began);
    this.#telemetry = this.session.client.telemetry();
    this.failover.onFrame(nowMs, this.#telemetry.fullLoopMs);
    if (this.#ownLocal) this.reaction.onFrame(ended, this.#parent, this.#ownLocal);
    if (nowMs - this.#toldMs < panelsEveryMs) return;
    this.#toldMs = nowMs;
    this.changed();
  };

  #draw(scene: Scene, nowMs: number, seconds: number): void {
    if (this.#screen.fit(nowMs)) this.#mine.setShadows(this.#screen.shadows);
    this.#follow(scene);
    this.#putMine(scene, nowMs);
    this.rig.place(
      this.#avatar, this.#frameTurn, this.controls.yawRad, this.controls.pitchRad, this.atHelm, this.#bodies, seconds,
    );
    this.target = useTarget(this.#bodies, this.#avatar, this.rig.direction, this.helm);
    this.#play(this.session.takeCues(), nowMs);
    this.#effects.draw(nowMs, this.#origin);
    this.#updateGrounds();
    this.#mine.end(this.#avatar);
    const { renderer } = this.#screen;
    const { width, height } = renderer.domElement;
    const [w, h] = [width / renderer.getPixelRatio(), height / renderer.getPixelRatio()];
    renderer.setScissorTest(this.split);
    const half = Math.floor(w / 2);
    this.#show(this.#mine.scene, 0, this.split ? half : w, h);
    if (!this.split) return;
    this.#putTruth(nowMs);
    this.#show(this.#truth.scene, half, w - half, h);
  }

  #show(scene: THREE.Scene, left: number, width: number, height: number): void {
    const { renderer } = this.#screen;
    const { camera } = this.rig;
    renderer.setViewport(left, 0, width, height);
    renderer.setScissor(left, 0, width, height);
    camera.aspect = width / Math.max(height, 1);
    camera.updateProjectionMatrix();
    renderer.clear();
    renderer.render(scene, camera);
  }

  /** The origin follows the own avatar, so that single precision suffices anywhere in the world. */
  #follow(scene: Scene): void {
    const { own } = scene;
    if (!own) return;
    for (let i = 0; i < 3; ++i) this.#origin[i] = own.worldPositionM[i]!;
    this.#ownHandle = own.handle;
    this.#ownLocal = own.localPositionM;
    const frame = own.parent === 0 ? undefined : find(scene, own.parent);
    const turn = new THREE.Quaternion();
    if (frame) turn.fromArray(frame.worldRotation);
    if (own.parent !== this.#parent) this.#turnWith(turn);
    this.#frameTurn.copy(turn);
    this.#parent = own.parent;
    this.ownParentType = frame && this.session.client.typeName(frame.type);
    this.atHelm = atHelm(this.ownParentType, own.localPositionM);
    this.helm = this.atHelm ? own.parent : 0;
  }

  /** Looks are relative to the parent: another parent must not turn the picture. */
  #turnWith(frame: THREE.Quaternion): void {
    const look = new THREE.Vector3(0, 0, 1)
      .applyEuler(new THREE.Euler(-this.controls.pitchRad, this.controls.yawRad, 0, 'YXZ'))
      .applyQuaternion(this.#frameTurn)
      .applyQuaternion(frame.clone().invert());
    this.controls.yawRad = Math.atan2(look.x, look.z);
    this.controls.pitchRad = Math.asin(Math.max(-1, Math.min(1, look.y)));
  }

  #putMine(scene: Scene, nowMs: number): void {
    this.#mine.begin();
    this.#bodies.length = 0;
    this.#typeCounts = {};
    this.#count = scene.count;
    this.smoothing = false;
    for (const entity of scene) {
      const name = this.session.client.typeName(entity.type) ?? '';
      this.#typeCounts[name] = (this.#typeCounts[name] ?? 0) + 1;
      this.#putOne(entity, name, nowMs);
    }
    if (this.smoothing) ++this.outlinedFrames;
    if (this.serverGhost) this.#putServerGhost(scene, nowMs);
    this.#walkers.sweep(nowMs);
  }

  #putOne(entity: Entity, name: string, nowMs: number): void {
    const [x, y, z] = [0, 1, 2].map((i) => entity.worldPositionM[i]! - this.#origin[i]!) as [number, number, number];
    const model = this.#models.of(name, cluster.kinds);
    if (name === 'ground') {
      this.#placeGround(entity, x, y, z);
      return;
    }
    this.#addBody(entity.handle, name, x, y, z, entity.worldRotation);
    const smoothing = (entity.flags & entityFlags.smoothing) !== 0;
    this.smoothing ||= smoothing;
    if (entity.own && this.rig.firstPerson && !this.atHelm) return;
    const kind = this.#mine.kind(name, model);
    const instance = kind.put(x, y, z, entity.worldRotation);
    if (model.walks) {
      kind.tint(instance, suitColor(entity.handle, entity.own));
      const { phaseRad, swingRad } = this.#walkers.step(entity.handle, entity.parent, entity.localPositionM, nowMs);
      kind.walk(instance, phaseRad, this.atHelm && entity.own ? 0 : swingRad);
    }
    if (smoothing) kind.outline();
  }

  #addBody(
    handle: number, typeName: string, x: number, y: number, z: number, rotation: ArrayLike<number>,
  ): void {
    const model = this.#models.of(typeName, cluster.kinds);
    let reachM = this.#reaches.get(typeName);
    if (reachM === undefined) this.#reaches.set(typeName, (reachM = reachOf(model)));
    if (Math.hypot(x, y, z) > bodiesWithinM + reachM) return;
    this.#bodies.push({
      handle, typeName, model, reachM, position: new THREE.Vector3(x, y, z),
      rotation: new THREE.Quaternion().fromArray(rotation as number[]),
    });
  }

  /** In the own parent's frame: on a ship at 50 m/s the difference would be the ship's way. */
  #putServerGhost(scene: Scene, nowMs: number): void {
    const at = truePose(this.#ownHandle, nowMs);
    if (!at || !scene.own) return;
    const frame = at.parent === 0 ? undefined : find(scene, at.parent);
    const trueFrame = at.parent === 0 ? undefined : truePose(at.parent, nowMs);
    const position = at.position.clone();
    const rotation = at.rotation.clone();
    if (frame && trueFrame) {
      const back = trueFrame.rotation.clone().invert();
      const turn = new THREE.Quaternion().fromArray(frame.worldRotation);
      position.sub(trueFrame.position).applyQuaternion(back).applyQuaternion(turn);
      position.add(new THREE.Vector3().fromArray(frame.worldPositionM));
      rotation.premultiply(back).premultiply(turn);
    }
    const model = this.#models.of('character', cluster.kinds);
    const kind = this.#mine.kind('server ghost', model, hologramColor);
    const [x, y, z] = position.toArray().map((side, i) => side - this.#origin[i]!) as [number, number, number];
    kind.put(x, y, z, rotation.toArray());
  }

  /** Drawn from the same place aboard, in the server's world. */
  #putTruth(nowMs: number): void {
    this.#truth.begin();
    const shift = this.#trueShift(nowMs);
    this.#truthCount = eachTruth(nowMs, (handle, type, parent, pose) => {
      const name = cluster.kinds[type]?.name ?? '';
      const at = new THREE.Vector3(pose[0]! - this.#origin[0]!, pose[1]! - this.#origin[1]!, pose[2]! - this.#origin[2]!);
      const rotation = new THREE.Quaternion(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
      at.applyMatrix4(shift.matrix);
      rotation.premultiply(shift.turn);
      const ground = this.#grounds.get(handle);
      if (ground) {
        ground.placeTruth(this.#truth.scene, at, rotation);
        return;
      }
      const model = this.#models.of(name, cluster.kinds);
      const kind = this.#truth.kind(name, model);
      const instance = kind.put(at.x, at.y, at.z, rotation.toArray());
      if (!model.walks) return;
      kind.tint(instance, suitColor(handle, handle === this.#ownHandle));
      const { phaseRad, swingRad } = this.#trueWalkers.step(handle, parent, at.toArray(), nowMs);
      kind.walk(instance, phaseRad, swingRad);
    });
    this.#trueWalkers.sweep(nowMs);
    this.#truth.end(this.#avatar);
  }

  /** Moves the server's world so that the own parent is where it is drawn in the own picture. */
  #trueShift(nowMs: number): { matrix: THREE.Matrix4; turn: THREE.Quaternion } {
    const frame = this.#bodies.find(({ handle }) => handle === this.#parent);
    const trueFrame = this.#parent === 0 ? undefined : truePose(this.#parent, nowMs);
    const turn = new THREE.Quaternion();
    const matrix = new THREE.Matrix4();
    if (!frame || !trueFrame) return { matrix, turn };
    turn.copy(frame.rotation).multiply(trueFrame.rotation.clone().invert());
    const from = trueFrame.position.clone().sub(new THREE.Vector3().fromArray(this.#origin));
    matrix.makeRotationFromQuaternion(turn).setPosition(frame.position.clone().sub(from.applyQuaternion(turn)));
    return { matrix, turn };
  }

  #placeGround(entity: Entity, x: number, y: number, z: number): void {
    let ground = this.#grounds.get(entity.handle);
    if (!ground) {
      ground = new Ground(entity.handle, this.#groundMaterial);
      this.#grounds.set(entity.handle, ground);
      this.#mine.scene.add(ground.group);
    }
    ground.group.position.set(x, y, z);
    ground.group.quaternion.fromArray(entity.worldRotation);
    ground.seen = true;
  }

  #updateGrounds(): void {
    for (const ground of this.#grounds.values()) {
      ground.group.visible = ground.seen;
      if (ground.seen) ground.update(this.session.client);
      ground.seen = false;
    }
  }

  #play(cues: readonly Cue[], nowMs: number): void {
    for (const { effect, state, detail } of cues) {
      if (state === 'confirmed' && detail === 1 && (effect === 1 || effect === 3)) this.marks.hitMs = nowMs;
      if (state !== 'played') continue;
      const { eye, direction } = this.rig;
      const muzzle = eye.clone().addScaledVector(direction, 0.5);
      muzzle.y -= 0.16;
      const hit = cast(this.#bodies, eye, direction, shotRangeM, (body) => body.handle === this.#ownHandle);
      const lengthM = hit?.distanceM ?? shotRangeM;
      if (effect === 1) this.#effects.add('shot', nowMs, muzzle, direction, lengthM, this.#origin);
      if (effect === 3) this.#effects.add('arrow', nowMs, muzzle, direction, lengthM, this.#origin);
      if (effect === 4 || effect === 5) {
        this.#effects.puff(nowMs, eye.clone().addScaledVector(direction, 2), this.#origin);
      }
      if (effect === 6) this.marks.hurtMs = nowMs;
    }
  }
}

function find(scene: Scene, handle: number): Entity | undefined {
  for (const entity of scene) if (entity.handle === handle) return entity;
  return undefined;
}

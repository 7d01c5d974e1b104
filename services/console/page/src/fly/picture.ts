/** What the canvas of the cockpit shows: the sky before a player has joined, then the world. */
import type { Client, Cue, HeardCue, Scene } from '@perigee/client';
import * as THREE from 'three';
import { Screen } from '../draw/screen.js';
import { ModelShapes, Stage } from '../draw/stage.js';
import { CameraRig } from './camera_rig.js';
import { ActionCounts, effects, targetHit } from './action_counts.js';
import { Effects } from './effects.js';
import { fromOrigin, MineView } from './mine_view.js';
import { Models } from './models.js';
import { OwnFrame, type Look } from './own_frame.js';
import { cast } from './rays.js';
import { skiffModels, usable } from './skiff_models.js';
import { suitColor } from './tints.js';
import { TruthView } from './truth_view.js';

const shotRangeM = 300;
const outlineFromM = 1.2; // the camera behind the avatar
const idleRadPerS = 0.006;
const avatar = new THREE.Vector3(); // the origin follows it

export interface Choices {
  split: boolean;
  serverGhost: boolean;
}

export class Picture {
  readonly rig = new CameraRig();
  readonly own = new OwnFrame();
  readonly mine: MineView;
  readonly truth: TruthView;
  /** When a shot hit somebody, and when the player was hit. */
  readonly marks = { hitMs: -1e9, hurtMs: -1e9 };
  actions = new ActionCounts();
  readonly #screen: Screen;
  readonly #shapes = new ModelShapes();
  readonly #mineStage: Stage;
  readonly #truthStage: Stage;
  readonly #effects = new Effects();

  /** Throws if there is no WebGL. */
  constructor(canvas: HTMLCanvasElement) {
    this.#screen = new Screen(canvas);
    const { renderer } = this.#screen;
    const models = new Models();
    this.#mineStage = new Stage(renderer, this.#shapes, true);
    this.#truthStage = new Stage(renderer, this.#shapes, false);
    this.mine = new MineView(this.#mineStage, models);
    this.truth = new TruthView(this.#truthStage, models);
    this.#mineStage.scene.add(this.#effects.object);
  }

  get drawCalls(): number {
    return this.#screen.renderer.info.render.calls;
  }

  /** Compiles what the world will need, so that the first frame in it is like the others. */
  async warmUp(): Promise<void> {
    for (const stage of [this.#mineStage, this.#truthStage]) {
      stage.setQuality(this.#screen.quality);
      for (const [name, model] of Object.entries(skiffModels)) {
        const kind = stage.kind(name, model);
        const instance = kind.put(0, -1e4, 0, [0, 0, 0, 1]);
        if (model.walks) kind.tint(instance, suitColor(0, true));
        if (model.walks || usable[name]?.seat) kind.outline(); // corrections of avatars and of steered ships
      }
      stage.end(avatar);
      await this.#screen.renderer.compileAsync(stage.scene, this.rig.camera);
      stage.begin();
      stage.end(avatar);
    }
  }

  /** The sky alone. */
  drawIdle(nowMs: number): void {
    this.#screen.begin(nowMs);
    const { camera } = this.rig;
    camera.position.set(0, 0, 0);
    camera.rotation.set(-0.08, -1.62 + (nowMs / 1000) * idleRadPerS, 0, 'YXZ');
    this.#screen.show(this.#mineStage.scene, camera, 0, this.#screen.width);
  }

  draw(
    scene: Scene, client: Client, cues: readonly Cue[], heard: readonly HeardCue[], look: Look, choices: Choices,
    nowMs: number, seconds: number,
  ): void {
    const { own, rig, mine } = this;
    this.#screen.begin(nowMs);
    this.#mineStage.setQuality(this.#screen.quality);
    own.follow(scene, (type) => client.typeName(type), look);
    this.#mineStage.begin();
    mine.close = rig.boomM < outlineFromM;
    mine.put(scene, client, own, nowMs, rig.firstPerson && own.helm === 0);
    if (choices.serverGhost) mine.putServerGhost(scene, own, nowMs);
    rig.place(avatar, own.turn, look.yawRad, look.pitchRad, own.helm !== 0, mine.bodies, seconds);
    this.#play(cues, nowMs);
    this.#playOthers(heard, nowMs);
    this.#effects.draw(nowMs, own.origin);
    this.#mineStage.end(avatar);
    const half = Math.floor(this.#screen.width / 2);
    this.#screen.show(this.#mineStage.scene, rig.camera, 0, choices.split ? half : this.#screen.width);
    if (!choices.split) return;
    this.#truthStage.begin();
    const frame = own.parent === 0 ? undefined : mine.bodies.find(({ handle }) => handle === own.parent);
    this.truth.put(own, frame, mine.grounds, nowMs);
    this.#truthStage.end(avatar);
    this.#screen.show(this.#truthStage.scene, rig.camera, half, this.#screen.width - half);
  }

  /** The world is left; the sky stays. */
  clear(): void {
    this.mine.dispose();
    this.actions = new ActionCounts();
    for (const stage of [this.#mineStage, this.#truthStage]) {
      stage.begin();
      stage.end(avatar);
    }
    for (const ground of this.mine.grounds.values()) ground.remove();
    this.mine.grounds.clear();
  }

  dispose(): void {
    this.mine.dispose();
    this.#mineStage.dispose();
    this.#truthStage.dispose();
    this.#effects.dispose();
    this.#shapes.dispose();
    this.#screen.dispose();
  }

  /** A flash or dust where others shoot or dig; their shots have no direction. */
  #playOthers(heard: readonly HeardCue[], nowMs: number): void {
    const { origin } = this.own;
    for (const { effect, positionM } of heard) {
      const shoots = effect === effects.shot || effect === effects.loose;
      if (!shoots && effect !== effects.dig && effect !== effects.fill) continue;
      const at = new THREE.Vector3(...fromOrigin(positionM, origin));
      this.#effects.puff(nowMs, at, origin, shoots ? 'shot' : 'puff');
    }
  }

  #play(cues: readonly Cue[], nowMs: number): void {
    this.actions.take(cues);
    for (const { effect, state, detail } of cues) {
      const shoots = effect === effects.shot || effect === effects.loose;
      if (state === 'confirmed' && shoots && detail === targetHit) this.marks.hitMs = nowMs;
      if (state !== 'played') continue;
      const { eye, direction } = this.rig;
      const { origin, handle } = this.own;
      if (shoots) {
        const muzzle = eye.clone().addScaledVector(direction, 0.5);
        muzzle.y -= 0.16;
        const hit = cast(this.mine.bodies, eye, direction, shotRangeM, (body) => body.handle === handle);
        const kind = effect === effects.shot ? 'shot' : 'arrow';
        this.#effects.add(kind, nowMs, muzzle, direction, hit?.distanceM ?? shotRangeM, origin);
      } else if (effect === effects.dig || effect === effects.fill) {
        this.#effects.puff(nowMs, eye.clone().addScaledVector(direction, 2), origin);
      } else if (effect === effects.hit) {
        this.marks.hurtMs = nowMs;
      }
    }
  }
}

/** A player in the page: the session, the controls, and a picture for each frame. */
import type { Scene, Session, Telemetry } from '@perigee/client';
import * as THREE from 'three';
import { cluster, live } from '../app/state.js';
import { Emitter } from '../model/emitter.js';
import { Controls } from './controls.js';
import { FailoverWatch } from './failover.js';
import { FrameTimer } from '../model/frame_timer.js';
import type { Choices, Picture } from './picture.js';
import { Reaction } from './reaction.js';
import type { Pilot } from './pilot.js';
import { settingOf, techniques } from './techniques.js';
import { truePose } from './truth.js';
import { useTarget, type UseTarget } from './use_target.js';

/** Parts of the display beside the picture. A frame shows at most one of them again. */
export type Part = 'page' | 'figures' | 'graph' | 'failover';
const parts: readonly Part[] = ['page', 'figures', 'graph', 'failover'];
const partEveryMs = 120;
const desyncM = 0.5;
const secondsMax = 0.1;
const middle = new THREE.Vector3();

export interface Options {
  canvas: HTMLCanvasElement;
  picture: Picture;
  pilot: Pilot;
  /** Keys that are of no use here. */
  onKey: (code: string) => void;
  /** Time to show a part again. */
  onPart: (part: Part) => void;
}

export class Cockpit extends Emitter {
  readonly pilot: Pilot;
  readonly session: Session;
  readonly picture: Picture;
  readonly playerName: string;
  readonly controls: Controls;
  readonly reaction = new Reaction();
  readonly failover = new FailoverWatch();
  readonly wasmTimes = new FrameTimer();
  readonly frameTimes = new FrameTimer();
  readonly intervals = new FrameTimer();
  readonly choices: Choices = { split: false, serverGhost: false };
  /** Keys of the techniques that are off. */
  readonly off: Set<string>;
  /** The same; another array after each change. */
  offKeys: readonly string[];
  link: string;
  target: UseTarget | undefined;
  outlinedFrames = 0;
  telemetry: Telemetry | undefined;
  sceneCount = 0;
  readonly #stopWatching: () => void;
  readonly #onPart: (part: Part) => void;
  #request = 0;
  #lastMs = 0;
  #partMs = 0;
  #part = 0;

  constructor({ canvas, picture, pilot, onKey, onPart }: Options) {
    super();
    this.pilot = pilot;
    this.session = pilot.session;
    this.picture = picture;
    this.playerName = pilot.playerName;
    this.off = pilot.off;
    this.offKeys = [...this.off];
    this.link = pilot.link;
    this.#onPart = onPart;
    this.controls = new Controls(canvas, {
      onKey: (code) => this.#onKey(code) || onKey(code),
      onUse: () => this.target?.handle ?? 0,
      onMoveKey: (atMs) => this.reaction.onKey(atMs, this.telemetry?.fullLoopMs ?? 0),
    });
    this.#stopWatching = live.watchEntities();
    this.#request = requestAnimationFrame(this.#frame);
  }

  /** Leaves the world. */
  end(): void {
    this.park().armed.end();
    this.session.leave();
  }

  /** Nobody flies the player any more. */
  park(): Pilot {
    cancelAnimationFrame(this.#request);
    this.controls.end();
    this.#stopWatching();
    this.picture.clear();
    return this.pilot;
  }

  get framesPerSecond(): number {
    return 1000 / this.intervals.mean();
  }

  /** Where the server has the own avatar. */
  get trueOwnM(): number[] | undefined {
    return truePose(this.picture.own.handle, performance.now())?.position.toArray();
  }

  /** The worker that has the avatar; undefined: not known yet. */
  get workerSlot(): number | undefined {
    const slot = truePose(this.picture.own.handle, performance.now())?.slot;
    if (slot !== undefined) return slot;
    const [x, y, z] = this.picture.own.origin as [number, number, number];
    return cluster.regionAt({ x, y, z })?.owner;
  }

  setTechnique(key: string, on: boolean): void {
    const technique = techniques.find((each) => each.key === key);
    if (!technique) return;
    this.session.client.use(settingOf(technique, on));
    if (on) this.off.delete(key);
    else this.off.add(key);
    this.offKeys = [...this.off];
    this.reaction.restart();
    this.changed();
  }

  setLink(conditions: string): void {
    if (conditions === this.link) return;
    this.session.client.link(performance.now(), conditions);
    this.link = this.pilot.link = conditions;
    this.reaction.restart();
    this.changed();
  }

  /** Moves the prediction to the right of the look. */
  desync(metres: number): void {
    if (this.session.state !== 'playing') return;
    const side = new THREE.Vector3(-metres, 0, 0).applyQuaternion(this.picture.rig.turn);
    this.session.client.injectDesync(side.x, 0, side.z);
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
    else if (code === 'KeyV') this.picture.rig.firstPerson = !this.picture.rig.firstPerson;
    else if (code === 'KeyB') this.choices.serverGhost = !this.choices.serverGhost;
    else if (code === 'KeyT') this.choices.split = !this.choices.split;
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
      return; // the session's onEnd has the reason
    }
    this.wasmTimes.add(performance.now() - began);
    if (this.#lastMs > 0) this.intervals.add(nowMs - this.#lastMs);
    this.#draw(scene, nowMs, Math.min((nowMs - this.#lastMs) / 1000, secondsMax));
    this.#lastMs = nowMs;
    const ended = performance.now();
    this.frameTimes.add(ended - began);
    this.telemetry = this.session.client.telemetry();
    this.failover.onFrame(nowMs, this.telemetry.fullLoopMs);
    const { own } = this.picture;
    if (own.local) this.reaction.onFrame(ended, own.parent, own.local);
    this.#showPart(nowMs);
  };

  /** All parts in one frame would make it twice as long as the others. */
  #showPart(nowMs: number): void {
    if (nowMs - this.#partMs < partEveryMs / parts.length) return;
    this.#partMs = nowMs;
    this.#part = (this.#part + 1) % parts.length;
    this.#onPart(parts[this.#part]!);
  }

  #draw(scene: Scene, nowMs: number, seconds: number): void {
    const { picture, session, controls, choices } = this;
    const cues = session.takeCues(), heard = session.takeHeard();
    picture.draw(scene, session.client, cues, heard, controls, choices, nowMs, seconds);
    this.sceneCount = scene.count;
    if (picture.mine.smoothing) ++this.outlinedFrames;
    this.target = useTarget(picture.mine.bodies, middle, picture.rig.direction, picture.own.helm);
  }
}

/** Where the camera is: in the eye of the avatar, or behind it. */
import * as THREE from 'three';
import { cast, type Body } from './rays.js';
import { eyeM } from './skiff_models.js';

const behindM = 4.2;
const behindAtHelmM = 15;
const sideM = 0.55;
const aboveM = 0.35;
const hullM = 0.25; // from the camera to what is behind it

export class CameraRig {
  firstPerson = false;
  readonly camera = new THREE.PerspectiveCamera(68, 1, 0.08, 9000);
  /** The eye, and where it looks; relative to the origin. */
  readonly eye = new THREE.Vector3();
  readonly direction = new THREE.Vector3();
  /** In the frame of the avatar's parent. */
  readonly turn = new THREE.Quaternion();
  readonly #offset = new THREE.Vector3();
  readonly #up = new THREE.Vector3();
  readonly #back = new THREE.Vector3();
  #boomM = behindM;

  /** `avatar`: its middle, relative to the origin; `frame`: rotation of its parent. */
  place(
    avatar: THREE.Vector3, frame: THREE.Quaternion, yawRad: number, pitchRad: number, atHelm: boolean,
    bodies: readonly Body[], seconds: number,
  ): void {
    // A camera looks along its -z, an avatar along its +z.
    this.turn.setFromEuler(new THREE.Euler(-pitchRad, yawRad, 0, 'YXZ'));
    const turn = frame.clone().multiply(this.turn);
    this.direction.set(0, 0, 1).applyQuaternion(turn);
    this.#up.set(0, 1, 0).applyQuaternion(frame);
    this.eye.copy(avatar).addScaledVector(this.#up, eyeM);
    const { camera } = this;
    camera.quaternion.copy(turn).multiply(halfTurn);
    if (this.firstPerson && !atHelm) {
      camera.position.copy(this.eye);
      return;
    }
    const wantedM = atHelm ? behindAtHelmM : behindM;
    this.#back.copy(this.direction).negate();
    this.#offset.set(-(atHelm ? 0 : sideM), 0, 0).applyQuaternion(turn);
    const start = this.eye.clone().add(this.#offset).addScaledVector(this.#up, atHelm ? 3 : aboveM);
    const hit = cast(bodies, start, this.#back, wantedM + hullM, (body) => body.model.walks === true || atHelm);
    const freeM = hit ? Math.max(0.3, hit.distanceM - hullM) : wantedM;
    // In at once, out slowly.
    this.#boomM = freeM < this.#boomM ? freeM : Math.min(freeM, this.#boomM + seconds * 9);
    camera.position.copy(start).addScaledVector(this.#back, this.#boomM);
  }

  /** How far the camera is from the eye. */
  get boomM(): number {
    return this.firstPerson ? 0 : this.#boomM;
  }
}

const halfTurn = new THREE.Quaternion(0, 1, 0, 0);

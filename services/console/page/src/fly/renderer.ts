/** WebGL, and less of it where frames take too long. */
import * as THREE from 'three';

const slowFrameMs = 25;
const framesUntilJudged = 90;
const ratioMax = 2;
const ratioMin = 0.6;

export const noWebGl =
  'This browser has no WebGL 2, which draws the world: switch on hardware acceleration, or use another browser. ' +
  'World, Players and the other pages still have their tables.';

export class Screen {
  readonly renderer: THREE.WebGLRenderer;
  shadows = true;
  readonly #canvas: HTMLCanvasElement;
  #ratio = Math.min(devicePixelRatio, ratioMax);
  #lastMs = 0;
  #slow = 0;
  #frames = 0;

  /** Throws if there is no WebGL. */
  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.08;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
  }

  /** Once a frame: follows the size of the canvas; true if what is drawn must become cheaper. */
  fit(nowMs: number): boolean {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const size = this.renderer.getSize(new THREE.Vector2());
    if (this.renderer.getPixelRatio() !== this.#ratio) this.renderer.setPixelRatio(this.#ratio);
    if (size.x !== width || size.y !== height) this.renderer.setSize(width, height, false);
    this.renderer.info.reset();
    return this.#judge(nowMs);
  }

  dispose(): void {
    this.renderer.dispose();
  }

  #judge(nowMs: number): boolean {
    if (nowMs - this.#lastMs > slowFrameMs && nowMs - this.#lastMs < 1000) ++this.#slow;
    this.#lastMs = nowMs;
    if (++this.#frames < framesUntilJudged) return false;
    const slow = this.#slow > framesUntilJudged / 2;
    this.#frames = this.#slow = 0;
    if (!slow) return false;
    if (this.shadows) this.shadows = false;
    else if (this.#ratio > ratioMin) this.#ratio = Math.max(ratioMin, this.#ratio * 0.75);
    else return false;
    return true;
  }
}

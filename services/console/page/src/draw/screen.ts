/** WebGL on a canvas, and less of it where frames take too long. */
import * as THREE from 'three';

const slowFrameMs = 24;
const judgedEveryMs = 2500;
const ratioMax = 2;
const ratioMin = 0.5;
const ratioCoarse = 0.25;
const coarseFrames = 4; // of which one is drawn

export const noWebGl =
  'This browser has no WebGL 2, which draws the world: switch on hardware acceleration, or use another browser. ' +
  'All other pages still have their tables.';

/** Of the graphics card's picture; `plain` is for browsers that draw with the processor. */
export type Quality = 'full' | 'plain';

export class Screen {
  readonly renderer: THREE.WebGLRenderer;
  quality: Quality;
  readonly #canvas: HTMLCanvasElement;
  readonly #fixed: boolean;
  readonly #coarse: boolean;
  #number = 0;
  #ratio: number;
  #lastMs = 0;
  #slow = 0;
  #frames = 0;
  #judgedMs = 0;
  /** Of the canvas: to ask for it in each frame would lay out the page in the frame. */
  #width = 0;
  #height = 0;
  readonly #size = new THREE.Vector2();
  readonly #sizes = new ResizeObserver(() => this.#measure());

  /** `softwareRatio`: pixels for each of CSS where the processor draws. Throws if there is no WebGL. */
  constructor(canvas: HTMLCanvasElement, softwareRatio = ratioMin) {
    this.#canvas = canvas;
    this.#measure();
    this.#sizes.observe(canvas);
    const software = isSoftware();
    const wanted = wantedQuality();
    const coarse = wanted === 'coarse';
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !software, powerPreference: 'high-performance' });
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.08;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
    this.quality = coarse ? 'plain' : wanted ?? (software ? 'plain' : 'full');
    this.#fixed = wanted !== undefined;
    this.#coarse = coarse;
    this.#ratio = coarse ? ratioCoarse : this.quality === 'plain' && software ? softwareRatio : Math.min(devicePixelRatio, ratioMax);
    // Blurred panels cost such a browser more than the world behind them.
    if (software) document.documentElement.style.setProperty('--blur', 'none');
  }

  /** Once before each frame: follows the size of the canvas, and the browser's pace. */
  begin(nowMs: number): void {
    this.#judge(nowMs);
    ++this.#number;
    const [width, height] = [this.#width, this.#height];
    const size = this.renderer.getSize(this.#size);
    if (this.renderer.getPixelRatio() !== this.#ratio) this.renderer.setPixelRatio(this.#ratio);
    if (size.x !== width || size.y !== height) this.renderer.setSize(width, height, false);
    this.renderer.info.reset();
  }

  /** Draws into a part of the canvas, from `left` on, in CSS pixels. */
  show(scene: THREE.Scene, camera: THREE.PerspectiveCamera, left: number, width: number): void {
    if (this.#coarse && this.#number % coarseFrames !== 0) return;
    const height = this.#height;
    this.renderer.setScissorTest(width < this.#width);
    this.renderer.setViewport(left, 0, width, height);
    this.renderer.setScissor(left, 0, width, height);
    camera.aspect = width / Math.max(height, 1);
    camera.updateProjectionMatrix();
    this.renderer.clear();
    this.renderer.render(scene, camera);
  }

  get width(): number {
    return this.#width;
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.renderer.dispose();
  }

  #measure(): void {
    this.#width = this.#canvas.clientWidth;
    this.#height = this.#canvas.clientHeight;
  }

  #judge(nowMs: number): void {
    const tookMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    if (tookMs > 1000) this.#judgedMs = nowMs; // the tab was behind others
    ++this.#frames;
    if (tookMs > slowFrameMs) ++this.#slow;
    if (nowMs - this.#judgedMs < judgedEveryMs) return;
    const slow = this.#slow > this.#frames / 2;
    this.#judgedMs = nowMs;
    this.#frames = this.#slow = 0;
    if (!slow || this.#fixed) return;
    if (this.quality === 'full') this.quality = 'plain';
    else this.#ratio = Math.max(ratioMin, this.#ratio * 0.75);
  }
}

/**
 * `?quality=full`, `plain` or `coarse` in the page's address: it stays so, however long frames take.
 * `coarse` has a sixteenth of the pixels, and draws every fourth frame, for tests.
 */
function wantedQuality(): Quality | 'coarse' | undefined {
  const value = new URLSearchParams(location.search).get('quality');
  return value === 'full' || value === 'plain' || value === 'coarse' ? value : undefined;
}

/** Whether the browser draws with the processor. */
function isSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  if (!context) throw new Error(noWebGl);
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

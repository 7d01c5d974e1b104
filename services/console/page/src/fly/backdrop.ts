/** The sky behind the form to join. */
import * as THREE from 'three';
import { Sky } from '../draw/sky.js';

const radPerS = 0.006;

export class Backdrop {
  readonly #renderer: THREE.WebGLRenderer;
  readonly #sky: Sky;
  readonly #scene = new THREE.Scene();
  readonly #camera = new THREE.PerspectiveCamera(58, 1, 0.1, 10);
  #request = 0;

  /** Throws if there is no WebGL. */
  constructor(canvas: HTMLCanvasElement) {
    this.#renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.#renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#sky = new Sky(this.#renderer);
    this.#scene.add(this.#sky.group);
    this.#request = requestAnimationFrame(this.#draw);
  }

  end(): void {
    cancelAnimationFrame(this.#request);
    this.#sky.dispose();
    this.#renderer.dispose();
  }

  readonly #draw = (nowMs: number): void => {
    this.#request = requestAnimationFrame(this.#draw);
    const { clientWidth: width, clientHeight: height } = this.#renderer.domElement;
    const size = this.#renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height) this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / Math.max(height, 1);
    this.#camera.rotation.set(-0.1, -2.05 + (nowMs / 1000) * radPerS, 0, 'YXZ');
    this.#camera.updateProjectionMatrix();
    this.#renderer.render(this.#scene, this.#camera);
  };
}

import { LitElement, css, html, nothing } from 'lit';
import * as THREE from 'three';
import { Screen } from '../draw/screen.js';
import { shared } from '../ui/shared.js';
import { paintFlat } from './flat_paint.js';
import type { FlightModel } from './flight_model.js';
import { pathColors } from './path_colors.js';
import { PathScene } from './path_scene.js';
import { metresText } from './words.js';

/** Both paths and both avatars at the cursor; drawn when something changes. */
export class PathView extends LitElement {
  static override properties = { model: { attribute: false }, row: { type: Number }, flat: { state: true } };
  declare model: FlightModel;
  declare row: number;
  /** There is no WebGL. */
  declare flat: boolean;
  #screen: Screen | undefined;
  #picture: PathScene | undefined;
  #request = 0;
  readonly #sizes = new ResizeObserver(() => this.#draw());

  static override styles = [
    shared,
    css`
      :host {
        position: relative;
        display: block;
        overflow: hidden;
        background: radial-gradient(ellipse at 50% 42%, #121826 0%, #0a0d13 68%);
      }
      canvas {
        position: absolute;
        inset: 0;
        display: block;
        width: 100%;
        height: 100%;
        cursor: grab;
        touch-action: none;
      }
      canvas:active {
        cursor: grabbing;
      }
      .label {
        position: absolute;
        left: 0;
        top: 0;
        padding: 1px 7px 2px;
        border-radius: 4px;
        background: rgb(7 9 13 / 70%);
        font-size: 11px;
        white-space: nowrap;
        pointer-events: none;
        will-change: transform;
      }
      .label.error {
        font-size: 13px;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
        color: #ffc2c4;
        border: 1px solid rgb(242 117 122 / 45%);
      }
      .keys {
        position: absolute;
        right: 16px;
        bottom: 12px;
        font-size: 11px;
        color: var(--text-faint);
        pointer-events: none;
      }
    `,
  ];

  constructor() {
    super();
    this.flat = false;
  }

  override render() {
    return html`
      <canvas @pointerdown=${this.#down} @pointermove=${this.#move} @wheel=${this.#wheel} aria-label="Both paths"></canvas>
      ${this.flat
        ? html`<span class="keys">This browser has no WebGL 2: the paths are flat.</span>`
        : html`
            <span class="label" id="server" style="color:${pathColors.server}">server</span>
            <span class="label" id="believed" style="color:${pathColors.believed}">${this.model.hasClient ? 'predicted' : 'claimed'}</span>
            <span class="label error" id="error"></span>
            <span class="keys">drag to turn, wheel to zoom</span>
          `}
      ${nothing}
    `;
  }

  override firstUpdated(): void {
    try {
      this.#screen = new Screen(this.#canvas, 1);
      this.#screen.renderer.setClearColor(0x000000, 0);
      this.#picture = new PathScene();
    } catch {
      this.flat = true;
    }
    this.#sizes.observe(this);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
    cancelAnimationFrame(this.#request);
    this.#picture?.dispose();
    this.#screen?.dispose();
  }

  override updated(): void {
    this.#picture?.set(this.model, this.row);
    this.#draw();
  }

  get #canvas(): HTMLCanvasElement {
    return this.renderRoot.querySelector('canvas')!;
  }

  #draw(): void {
    cancelAnimationFrame(this.#request);
    this.#request = requestAnimationFrame((nowMs) => {
      const { clientWidth: width, clientHeight: height } = this.#canvas;
      if (width === 0 || height === 0 || !this.model) return;
      if (this.flat) this.#drawFlat(width, height);
      else this.#drawScene(nowMs, width, height);
    });
  }

  #drawFlat(width: number, height: number): void {
    const canvas = this.#canvas;
    const ratio = devicePixelRatio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintFlat(context, this.model, this.row, width, height);
  }

  #drawScene(nowMs: number, width: number, height: number): void {
    const [screen, picture] = [this.#screen!, this.#picture!];
    screen.begin(nowMs);
    picture.aim(width / height);
    screen.show(picture.scene, picture.camera, 0, width);
    const { server, believed } = picture.known;
    this.#label('server', server, picture.serverAt, 1.12, width, height);
    this.#label('believed', believed, picture.believedAt, -1.2, width, height);
    const label = this.renderRoot.querySelector<HTMLElement>('#error')!;
    label.textContent = metresText(this.model.errorM[this.row]);
    this.#label('error', server && believed, new THREE.Vector3(), 0, width, height);
  }

  /** `aboveM`: over the avatar's middle; 0: beside it. */
  #label(id: string, shown: boolean, at: THREE.Vector3, aboveM: number, width: number, height: number): void {
    const label = this.renderRoot.querySelector<HTMLElement>(`#${id}`);
    if (!label) return;
    label.hidden = !shown;
    if (!shown) return;
    const point = at.clone();
    point.y += aboveM;
    point.project(this.#picture!.camera);
    const x = ((point.x + 1) / 2) * width;
    const y = ((1 - point.y) / 2) * height;
    const shift = aboveM === 0 ? 'translate(28px, -50%)' : 'translate(-50%, -50%)';
    label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) ${shift}`;
  }

  readonly #down = (event: PointerEvent): void => this.#canvas.setPointerCapture(event.pointerId);
  readonly #move = (event: PointerEvent): void => {
    if (event.buttons === 0 || !this.#picture) return;
    this.#picture.turn(-event.movementX * 0.006, event.movementY * 0.006);
    this.#draw();
  };
  readonly #wheel = (event: WheelEvent): void => {
    event.preventDefault();
    this.#picture?.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.003));
    this.#draw();
  };
}
customElements.define('path-view', PathView);

import { LitElement, css, html } from 'lit';
import { shared } from '../ui/shared.js';
import { metresText } from './words.js';
import type { FlightModel } from './flight_model.js';
import { paint, paintCursor, rowAt, timelineHeight } from './timeline_paint.js';

/** A row of the flight was chosen. */
export class ScrubEvent extends Event {
  constructor(readonly row: number) {
    super('scrub', { bubbles: true, composed: true });
  }
}

/** The error over the last seconds, and a cursor. */
export class FlightTimeline extends LitElement {
  static override properties = { model: { attribute: false }, row: { type: Number } };
  declare model: FlightModel;
  declare row: number;
  #painted: FlightModel | undefined;
  #paintedWidth = 0;
  #width = 0;
  readonly #sizes = new ResizeObserver(([entry]) => {
    this.#width = Math.floor(entry?.contentRect.width ?? 0);
    this.requestUpdate();
  });

  static override styles = [
    shared,
    css`
      :host {
        display: block;
        position: relative;
        height: ${timelineHeight}px;
      }
      #slider {
        position: absolute;
        inset: 0;
        cursor: ew-resize;
        touch-action: none;
        border-radius: var(--radius-small);
      }
      canvas {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        pointer-events: none;
      }
    `,
  ];

  override render() {
    const { model, row } = this;
    return html`
      <div id="slider" role="slider" tabindex="0" aria-label="Time in the flight" aria-valuemin="0" aria-valuemax=${model.count - 1}
        aria-valuenow=${row} aria-valuetext=${`${model.ageS(row).toFixed(2)} s before the end, ${metresText(model.errorAt(row))} of error`}
        @pointerdown=${this.#down} @pointermove=${this.#move} @keydown=${this.#key}>
        <canvas></canvas><canvas></canvas>
      </div>
    `;
  }

  override firstUpdated(): void {
    this.#sizes.observe(this);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  override updated(): void {
    const width = this.#width;
    if (width === 0) return;
    const [picture, cursor] = this.renderRoot.querySelectorAll('canvas');
    if (this.#painted !== this.model || this.#paintedWidth !== width) {
      paint(sized(picture!, width), this.model, width);
      this.#painted = this.model;
      this.#paintedWidth = width;
    }
    paintCursor(sized(cursor!, width), this.model, this.row, width);
  }

  readonly #down = (event: PointerEvent): void => {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#scrub(event);
  };
  readonly #move = (event: PointerEvent): void => {
    if (event.buttons !== 0) this.#scrub(event);
  };
  #scrub(event: PointerEvent): void {
    const { left } = this.getBoundingClientRect();
    this.dispatchEvent(new ScrubEvent(rowAt(this.model, event.clientX - left, this.#width)));
  }

  readonly #key = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowLeft: -1, ArrowRight: 1, PageDown: -60, PageUp: 60, Home: -this.model.count, End: this.model.count,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const row = this.row + step * (event.shiftKey ? 10 : 1);
    this.dispatchEvent(new ScrubEvent(Math.max(0, Math.min(this.model.count - 1, row))));
  };
}
customElements.define('flight-timeline', FlightTimeline);

function sized(canvas: HTMLCanvasElement, width: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(timelineHeight * ratio)) canvas.height = Math.round(timelineHeight * ratio);
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

import { LitElement, css, svg, html } from 'lit';

/** The recent course of one figure. */
export class SparkLine extends LitElement {
  static override properties = { values: { attribute: false }, floor: { type: Number } };
  /** Oldest first. */
  declare values: readonly number[];
  /** The top of the drawing is at least this value. */
  declare floor: number;

  static override styles = css`
    :host {
      display: inline-block;
      width: 84px;
      height: 20px;
      vertical-align: middle;
    }
    svg {
      display: block;
      width: 100%;
      height: 100%;
    }
  `;

  constructor() {
    super();
    this.values = [];
    this.floor = 1;
  }

  override render() {
    const { values } = this;
    const top = Math.max(this.floor, ...values) * 1.1;
    const step = 100 / Math.max(values.length - 1, 1);
    const points = values.map((value, i) => `${(i * step).toFixed(1)},${(23 - (22 * value) / top).toFixed(1)}`);
    return html`<svg viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      ${values.length > 1
        ? svg`<polygon points="0,24 ${points.join(' ')} 100,24" fill="rgb(143 182 255 / 12%)"></polygon>
              <polyline points=${points.join(' ')} fill="none" stroke="var(--accent)" stroke-width="1.3"
                vector-effect="non-scaling-stroke" stroke-linejoin="round"></polyline>`
        : ''}
    </svg>`;
  }
}
customElements.define('spark-line', SparkLine);

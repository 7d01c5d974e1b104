import { LitElement, css, html } from 'lit';
import { shared } from '../ui/shared.js';
import type { FlightModel } from './flight_model.js';
import { buttonNames, metresText } from './words.js';

/** What both sides had at the cursor. */
export class MomentPanel extends LitElement {
  static override properties = { model: { attribute: false }, row: { type: Number } };
  declare model: FlightModel;
  declare row: number;

  static override styles = [
    shared,
    css`
      :host {
        position: absolute;
        left: 16px;
        top: 14px;
        pointer-events: none;
        font-variant-numeric: tabular-nums;
      }
      .error {
        font-size: 34px;
        font-weight: 600;
        letter-spacing: -0.03em;
        line-height: 1.1;
      }
      .error.large {
        color: #f6a3a6;
      }
      .line {
        margin-top: 3px;
        font-size: 12px;
        color: var(--text-soft);
      }
      .vector {
        display: flex;
        gap: 11px;
        margin-top: 5px;
        color: var(--text);
      }
      .vector i {
        margin-right: 4px;
        font-style: normal;
        color: var(--text-faint);
      }
      .keys {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
        margin-top: 9px;
      }
      .guessed {
        color: #f6a3a6;
      }
    `,
  ];

  override render() {
    const { model, row } = this;
    const errorM = model.errorAt(row);
    const keys = this.#keys();
    return html`
      <div class="error ${errorM >= 0.05 ? 'large' : ''}" id="moment-error">${metresText(errorM)}</div>
      ${Number.isFinite(errorM) ? html`<div class="line vector">${this.#vector()}</div>` : ''}
      <div class="line">tick <span id="moment-tick">${model.tickOf(row)}</span> · ${model.ageS(row).toFixed(2)} s before the end</div>
      <div class="line">in the frame of ${model.parent[row]! > 0 ? `entity ${model.parent[row]}` : 'the world'}</div>
      <div class="keys">${keys.map((key) => html`<kbd>${key}</kbd>`)}
        ${model.flight.rows.guessed[row] ? html`<span class="tag bad">guessed input</span>` : ''}</div>
    `;
  }

  /** From the predicted place to the server's, along the axes of the parent. */
  #vector() {
    const { model, row } = this;
    const sides = [0, 1, 2].map((k) => model.serverLocal[3 * row + k]! - model.believedLocal[3 * row + k]!);
    if (sides.some(Number.isNaN)) return '';
    return ['x', 'y', 'z'].map((axis, k) => html`<span><i>${axis}</i>${sides[k]! < 0 ? '−' : '+'}${Math.abs(sides[k]!).toFixed(3)}</span>`);
  }

  #keys(): string[] {
    const { forward, right, up, held, pressed } = this.model.flight.rows;
    const { row } = this;
    const buttons = held[row]! | pressed[row]!;
    return [
      ...(forward[row]! > 0 ? ['W'] : forward[row]! < 0 ? ['S'] : []),
      ...(right[row]! > 0 ? ['D'] : right[row]! < 0 ? ['A'] : []),
      ...(up[row]! > 0 ? ['up'] : up[row]! < 0 ? ['down'] : []),
      ...buttonNames.filter(([mask]) => buttons & mask).map(([, name]) => name),
    ];
  }
}
customElements.define('moment-panel', MomentPanel);

import { LitElement, css, html, nothing } from 'lit';
import type { FlightCorrection } from '@perigee/client';
import { plural } from '../ui/format.js';
import { shared } from '../ui/shared.js';
import { causeOf } from './causes.js';
import type { FlightModel } from './flight_model.js';
import { metresText } from './words.js';

/** A correction was chosen from the list. */
export class ChooseEvent extends Event {
  constructor(readonly correction: FlightCorrection) {
    super('choose', { bubbles: true, composed: true });
  }
}

/** The chosen correction and its cause, and all others below it. */
export class CorrectionPanel extends LitElement {
  static override properties = { model: { attribute: false }, chosen: { attribute: false } };
  declare model: FlightModel;
  declare chosen: FlightCorrection | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        gap: 18px;
        min-height: 0;
      }
      .cause {
        display: flex;
        align-items: baseline;
        gap: 9px;
        margin: 7px 0 3px;
        font-size: 19px;
        font-weight: 600;
        letter-spacing: -0.015em;
      }
      .cause i {
        width: 10px;
        height: 10px;
        border-radius: 2px;
        rotate: 45deg;
        flex: none;
      }
      .cause b {
        margin-left: auto;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
      }
      .why {
        font-size: 12px;
        font-weight: 400;
        line-height: 1.5;
        color: var(--text-soft);
      }
      .bar {
        height: 5px;
        margin: 14px 0 5px;
        border-radius: 3px;
        background: rgb(150 170 205 / 12%);
        overflow: hidden;
      }
      .bar span {
        display: block;
        height: 100%;
        border-radius: 3px;
      }
      .left {
        display: flex;
        justify-content: space-between;
        font-size: 11px;
        color: var(--text-faint);
        font-variant-numeric: tabular-nums;
      }
      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 5px 14px;
        margin: 15px 0 0;
        font-size: 12px;
      }
      dt {
        color: var(--text-faint);
      }
      dd {
        margin: 0;
        text-align: right;
        font-variant-numeric: tabular-nums;
        overflow-wrap: anywhere;
      }
      .difference {
        margin-top: 12px;
        padding: 9px 11px;
        border-radius: var(--radius-small);
        background: rgb(0 0 0 / 26%);
        font-size: 11px;
        line-height: 1.55;
      }
      .difference b {
        display: block;
        margin-bottom: 2px;
        font-weight: 500;
        color: var(--text);
      }
      .difference div {
        display: grid;
        grid-template-columns: 46px minmax(0, 1fr);
        gap: 8px;
        overflow-wrap: anywhere;
      }
      ol {
        list-style: none;
        margin: 8px -8px 0;
        padding: 0;
        overflow: auto;
        min-height: 0;
        scrollbar-width: thin;
        scrollbar-color: rgb(150 170 205 / 25%) transparent;
      }
      .list {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-height: 0;
      }
      li button {
        display: grid;
        grid-template-columns: 10px minmax(0, 1fr) auto 58px;
        gap: 10px;
        width: 100%;
        height: 27px;
        padding: 0 8px;
        border: 0;
        background: none;
        font-size: 12px;
        text-align: left;
        font-variant-numeric: tabular-nums;
      }
      li button[aria-current='true'] {
        background: var(--accent-soft);
      }
      li i {
        width: 8px;
        height: 8px;
        border-radius: 2px;
        rotate: 45deg;
      }
      li span:nth-of-type(1) {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      li .number {
        color: var(--text-faint);
      }
    `,
  ];

  override render() {
    const { model, chosen } = this;
    const { corrections } = model;
    return html`
      <section id="details" aria-label="Correction" aria-live="polite">
        <h2>Correction</h2>
        ${chosen ? this.#details(chosen) : html`<p class="why" style="margin-top:8px">
          ${corrections.length === 0 ? this.#none() : 'Choose a correction below or on the time line.'}
        </p>`}
      </section>
      <section class="list">
        <h2>${plural(corrections.length, 'correction')}</h2>
        <ol>${[...corrections].reverse().map((each) => this.#item(each))}</ol>
      </section>
    `;
  }

  #none(): string {
    if (this.model.hasServer || this.model.hasClient) return 'None in these seconds: no error was over 5 cm.';
    return '';
  }

  #item(correction: FlightCorrection) {
    const cause = causeOf(correction.cause ?? correction.noted);
    const age = this.model.ageS(this.model.rowOf(correction.at));
    return html`<li>
      <button aria-current=${correction === this.chosen} @click=${() => this.dispatchEvent(new ChooseEvent(correction))}>
        <i style="background:${cause.color}"></i><span>${correction.cause ?? correction.noted ? cause.title : 'misprediction'}</span>
        <span>${metresText(correction.meters)}</span><span class="number">−${age.toFixed(1)} s</span>
      </button>
    </li>`;
  }

  #details(correction: FlightCorrection) {
    const known = correction.cause ?? correction.noted;
    const cause = causeOf(known);
    return html`
      <div class="cause" id="cause" data-cause=${known ?? ''}>
        <i style="background:${cause.color}"></i><span>${known ? cause.title : 'Misprediction'}</span><b>${metresText(correction.meters)}</b>
      </div>
      <p class="why">${this.#why(correction, known, cause.sentence)}</p>
      ${this.#remains(correction, cause.color)}
      <dl>
        <dt>noticed at tick</dt>
        <dd id="tick">${correction.at}</dd>
        ${correction.noted ? html`<dt>the client's own guess</dt><dd id="noted">${causeOf(correction.noted).title}</dd>` : nothing}
        ${correction.cause ? html`<dt>by counterfactual replay</dt><dd id="replayed">${causeOf(correction.cause).title}</dd>` : nothing}
        ${correction.parted === undefined ? nothing : html`<dt>the paths part at</dt><dd>${correction.parted}${this.#after(correction)}</dd>`}
        ${correction.since === undefined || correction.since === correction.parted ? nothing : html`<dt>the cause acts since</dt><dd>${correction.since}</dd>`}
      </dl>
      ${this.#difference(correction)}
    `;
  }

  #why(correction: FlightCorrection, known: string | undefined, sentence: string): string {
    if (!known) return this.#withoutClient(correction);
    if (correction.betweenTicks) {
      return 'No recorded tick has this error: the predicted state itself was moved, and moved back between two ticks. The key E does that.';
    }
    return sentence;
  }

  #after({ at, parted }: FlightCorrection) {
    const ticks = (at - parted!) | 0;
    return ticks > 0 ? html` <span class="faint">${((ticks * 1000) / 60).toFixed(0)} ms before</span>` : nothing;
  }

  #withoutClient({ guessedBefore }: FlightCorrection): string {
    const known = guessedBefore
      ? `The worker had to guess ${plural(guessedBefore, 'input')} just before.`
      : 'All inputs had arrived in time.';
    return `What the client claimed was off. ${known} The cause needs the client's half, too.`;
  }

  #remains({ errorM, leftM }: FlightCorrection, color: string) {
    if (errorM === undefined || leftM === undefined || errorM <= 0) return nothing;
    const gone = Math.max(0, Math.min(1, 1 - leftM / errorM));
    return html`
      <div class="bar"><span style="width:${(gone * 100).toFixed(1)}%;background:${color}"></span></div>
      <div class="left"><span>without this cause</span><span id="left">${metresText(leftM)} of ${metresText(errorM)} remain</span></div>
    `;
  }

  #difference({ difference, beforehand, parted }: FlightCorrection) {
    if (beforehand) return html`<p class="difference">The paths had parted before the recording begins: the cause is not in it.</p>`;
    if (difference) {
      return html`<div class="difference">
        <b>First difference: ${difference.field}</b>
        <div><span class="faint">client</span><span class="mono">${difference.client}</span></div>
        <div><span class="faint">server</span><span class="mono">${difference.worker}</span></div>
      </div>`;
    }
    return parted === undefined || !this.model.hasClient || !this.model.hasServer
      ? nothing
      : html`<p class="difference">Both sides had the same inputs to that tick: the steps differ, so the builds do.</p>`;
  }
}
customElements.define('correction-panel', CorrectionPanel);

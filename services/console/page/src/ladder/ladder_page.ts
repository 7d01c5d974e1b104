import { LitElement, html, nothing } from 'lit';
import { sentenceOf } from '../api/http.js';
import '../ui/cmd_line.js';
import { fixed } from '../ui/format.js';
import { scrolling, shared } from '../ui/shared.js';
import { measureLadder, stages, talkTotalMs, type Ladder, type Measured } from './stages.js';
import { ladderStyles } from './ladder_styles.js';

const askEveryMs = 5000;
const scaleStepMs = 50;

/** From a key to the eye, stage by stage, beside the talk's 231 ms. */
export class LadderPage extends LitElement {
  static override properties = { ladder: { state: true }, failure: { state: true } };
  declare ladder: Ladder | undefined;
  declare failure: string;
  #timer = 0;

  static override styles = [shared, scrolling, ladderStyles];

  constructor() {
    super();
    this.ladder = undefined;
    this.failure = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#ask();
    this.#timer = window.setInterval(() => void this.#ask(), askEveryMs);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  override render() {
    return html`
      <div class="head">
        <h1>Ladder</h1>
        <span class="soft">from a key to the eye, stage by stage, over all players of the last minute</span>
      </div>
      ${this.failure ? html`<p class="soft">${this.failure}</p>` : nothing}
      ${this.ladder ? this.#content(this.ladder) : nothing}
    `;
  }

  #content(ladder: Ladder) {
    const starts = startsOf(ladder.stages.map((stage) => stage?.p50Ms));
    const total = starts.at(-1)!;
    const yoursMs = stages.reduce((sum, { family, talkMs }) => sum + (family === undefined ? (talkMs ?? 0) : 0), 0);
    return html`
      <div class="sums">
        ${sum(ladder.predicted?.p50Ms, 'accent', html`your own avatar: from sampling the key to the frame with its full effect, at any ping. p99 ${fixed(ladder.predicted?.p99Ms, 0)} ms.`)}
        ${sum(total - yoursMs || NaN, '', html`what others see of it, until they render it: the sum of the measured medians below.`)}
        ${sum(ladder.fullLoop?.p50Ms, '', html`the full loop: sampled, applied by the server, and known to the client. p99 ${fixed(ladder.fullLoop?.p99Ms, 0)} ms.`)}
        ${sum(talkTotalMs, '', html`the budget of the talk that is perigee’s reference, at a ping of 50 ms, with ${fixed(yoursMs, 0)} ms of rendering and monitor.`)}
      </div>
      ${ladder.stages.every((stage) => stage === undefined)
        ? html`<p class="soft">No player sends measurements. <span class="mono">./perigee bots --count 20 --seconds 60</span> adds some.</p>`
        : this.#ladder(ladder, starts)}
      <div class="key">
        <span><i class="ours"></i>median here</span>
        <span><i class="tail" style="position:static;vertical-align:middle"></i>up to the 99th percentile</span>
        <span><i class="talk"></i>the talk</span>
        <span><i class="yours"></i>yours: not measured, as in the talk</span>
      </div>
      <div class="line"><cmd-line .text=${'./perigee ctl waterfall --seconds 10'}></cmd-line></div>
    `;
  }

  #ladder(ladder: Ladder, starts: readonly number[]) {
    const talkStarts = startsOf(stages.map(({ talkMs }) => talkMs), true);
    const longest = Math.max(starts.at(-1)!, talkTotalMs) * 1.03;
    const at = (ms: number) => `${((100 * ms) / longest).toFixed(2)}%`;
    const marks = Array.from({ length: Math.floor(longest / scaleStepMs) }, (_, i) => (i + 1) * scaleStepMs);
    return html`<div class="ladder">
      <div class="head">stage</div>
      <div class="head number">p50, ms</div>
      <div class="head number">p99</div>
      <div class="head track scale">${marks.map((ms) => html`<span style="left:${at(ms)}">${ms} ms</span>`)}</div>
      ${stages.map(({ name, about, talkMs, within, family }, i) => {
        const value = ladder.stages[i];
        const yours = family === undefined;
        const ms = yours ? talkMs! : (value?.p50Ms ?? 0);
        return html`
          <div class=${within ? 'within' : ''} title=${about}>${name}</div>
          <div class="number">${yours ? html`<span class="faint">yours</span>` : fixed(value?.p50Ms, 1)}</div>
          <div class="number soft">${yours ? '' : fixed(value?.p99Ms, 1)}</div>
          <div class="track" title=${about}>
            ${tail(value, starts[i]!, at)}
            <i class="ours ${yours ? 'yours' : ''} ${within ? 'within-bar' : ''}" style="left:${at(starts[i]!)};width:${at(ms)}"></i>
            ${talkMs === undefined ? nothing : html`<i class="talk" style="left:${at(talkStarts[i]!)};width:${at(talkMs)}"></i>`}
          </div>
        `;
      })}
    </div>`;
  }

  async #ask(): Promise<void> {
    if (document.hidden) return;
    try {
      this.ladder = await measureLadder();
      this.failure = '';
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }
}
customElements.define('ladder-page', LadderPage);

function sum(ms: number | undefined, tone: string, about: unknown) {
  return html`<div class="card"><div class="figure ${tone}">${fixed(ms, 0)} <small>ms</small></div><p>${about}</p></div>`;
}

/** Where each stage begins, and the end of all. */
function startsOf(values: readonly (number | undefined)[], talk = false): number[] {
  const starts: number[] = [];
  let at = 0;
  stages.forEach(({ within, family, talkMs }, i) => {
    starts.push(within ? at - (values[i - 1] ?? 0) : at);
    if (!within) at += talk || family !== undefined ? (values[i] ?? 0) : talkMs!;
  });
  return [...starts, at];
}

function tail(value: Measured | undefined, startMs: number, at: (ms: number) => string) {
  if (!value || !Number.isFinite(value.p99Ms)) return nothing;
  return html`<i class="tail" style="left:${at(startMs)};width:${at(Math.min(value.p99Ms, 400))}"></i>`;
}

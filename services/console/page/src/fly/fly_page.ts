import { LitElement, html, nothing } from 'lit';
import { sentenceOf } from '../api/http.js';
import { howToAct } from '../api/token.js';
import { cluster } from '../app/state.js';
import { showFly, type FlyHook } from '../hooks.js';
import { RendersOn } from '../model/emitter.js';
import { shared } from '../ui/shared.js';
import { Cockpit } from './cockpit.js';
import type { FailoverPanel } from './failover_panel.js';
import './failover_panel.js';
import './help_panel.js';
import { join } from './join.js';
import './link_panel.js';
import './net_panel.js';
import { noWebGl } from './renderer.js';
import { settingOf, techniques } from './techniques.js';
import './techniques_panel.js';
import { flyStyles } from './fly_styles.js';
import { Backdrop } from './backdrop.js';

const nameKey = 'perigee.name';
const hitMarkMs = 220;
const hurtMarkMs = 420;

/** The cockpit: the client library in the page, and everything that can be taken from it. */
export class FlyPage extends LitElement {
  static override properties = {
    cockpit: { state: true }, joining: { state: true }, failure: { state: true }, panels: { state: true },
    help: { state: true }, tick: { state: true },
  };
  declare cockpit: Cockpit | undefined;
  declare joining: boolean;
  declare failure: string;
  declare panels: boolean;
  declare help: boolean;
  declare tick: number;
  #unlisten: () => void = () => {};
  #backdrop: Backdrop | undefined;

  static override styles = [shared, flyStyles];

  constructor() {
    super();
    this.joining = this.help = false;
    this.panels = true;
    this.failure = '';
    this.tick = 0;
    new RendersOn(this, cluster);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    showFly(() => this.#hook());
    addEventListener('pagehide', this.#leave);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    showFly(undefined);
    removeEventListener('pagehide', this.#leave);
    this.#leave();
    this.#backdrop?.end();
    this.#backdrop = undefined;
  }

  override render() {
    return html`
      <canvas id="view" tabindex="0" aria-label="The world"></canvas>
      ${this.cockpit ? this.#flying(this.cockpit) : this.#form()}
    `;
  }

  override firstUpdated(): void {
    this.#showBackdrop();
  }

  // ---- before: the name

  #form() {
    const may = cluster.mayAct || cluster.hello === undefined;
    return html`<div class="join">
      <form @submit=${this.#join}>
        <div class="title">Fly</div>
        <p>
          The client library itself runs in this page: prediction, physics and encryption as in an engine. Take its
          techniques away, make the network worse, and kill the server below you.
        </p>
        <div class="row">
          <input type="text" id="name" maxlength="32" autocomplete="off" spellcheck="false" placeholder="Your name"
            aria-label="Your name" .value=${localStorage.getItem(nameKey) ?? ''} ?disabled=${this.joining} />
          <button class="main" id="join" ?disabled=${this.joining || !may}>${this.joining ? 'Joining…' : 'Join'}</button>
        </div>
        ${!may ? html`<p class="why">To play, ${howToAct}.</p>` : nothing}
        ${this.failure ? html`<p class="why" role="alert">${this.failure}</p>` : nothing}
      </form>
    </div>`;
  }

  async #join(event: Event): Promise<void> {
    event.preventDefault();
    const name = this.renderRoot.querySelector<HTMLInputElement>('#name')?.value.trim() || `Pilot ${Math.floor(Math.random() * 900 + 100)}`;
    localStorage.setItem(nameKey, name);
    this.joining = true;
    this.failure = '';
    try {
      const { session, clientId } = await join(name, (why) => this.#ended(why));
      this.#backdrop?.end();
      this.#backdrop = undefined;
      const canvas = this.#freshCanvas();
      try {
        this.cockpit = new Cockpit({ canvas, session, playerName: name, clientId, onKey: (code) => this.#onKey(code) });
      } catch (error) {
        session.leave();
        console.error(error);
        throw new Error(noWebGl, { cause: error });
      }
      this.#unlisten = this.cockpit.listen(() => ++this.tick);
      canvas.focus();
    } catch (error) {
      this.failure = sentenceOf(error);
    }
    this.joining = false;
  }

  /** A canvas keeps its context, and the one of the backdrop is another. */
  #freshCanvas(): HTMLCanvasElement {
    const former = this.renderRoot.querySelector<HTMLCanvasElement>('#view')!;
    const fresh = former.cloneNode() as HTMLCanvasElement;
    former.replaceWith(fresh);
    return fresh;
  }

  #showBackdrop(): void {
    const canvas = this.renderRoot.querySelector<HTMLCanvasElement>('#view')!;
    try {
      this.#backdrop = new Backdrop(canvas);
    } catch {
      this.failure = noWebGl;
    }
  }

  #ended(why: string): void {
    this.#close();
    this.failure = why;
    this.#freshCanvas();
    this.#showBackdrop();
  }

  readonly #leave = (): void => this.#close();

  #close(): void {
    this.#unlisten();
    this.cockpit?.end();
    this.cockpit = undefined;
  }

  #onKey(code: string): void {
    if (code === 'Tab') this.panels = !this.panels;
    else if (code === 'Slash' || code === 'F1') this.help = !this.help;
    else if (code === 'Escape') this.help = false;
    else if (code === 'KeyK') this.renderRoot.querySelector<FailoverPanel>('failover-panel')?.kill();
  }

  // ---- in the world

  #flying(cockpit: Cockpit) {
    const now = performance.now();
    return html`
      ${cockpit.split ? html`<div class="divider"></div><span class="half left">mine</span><span class="half right">the server’s truth</span>` : nothing}
      <div class="sight ${now - cockpit.marks.hitMs < hitMarkMs ? 'hit' : ''} ${cockpit.split ? 'split' : ''}"></div>
      <div class="frame ${cockpit.smoothing ? 'smoothing' : ''} ${now - cockpit.marks.hurtMs < hurtMarkMs ? 'hurt' : ''}"></div>
      ${this.#banner(cockpit)} ${this.#prompt(cockpit)}
      ${this.panels ? this.#panels(cockpit) : nothing}
      ${this.help ? html`<help-panel @close=${() => (this.help = false)}></help-panel>` : nothing}
    `;
  }

  #panels(cockpit: Cockpit) {
    return html`
      <div class="column left">
        <techniques-panel .cockpit=${cockpit} .off=${[...cockpit.off]}></techniques-panel>
        <link-panel .cockpit=${cockpit} .link=${cockpit.link}></link-panel>
      </div>
      <div class="column right">
        <net-panel .cockpit=${cockpit} .tick=${this.tick}></net-panel>
        <failover-panel .cockpit=${cockpit} .tick=${this.tick}></failover-panel>
        <div class="tools">
          <button class="small ${cockpit.split ? 'on' : ''}" @click=${() => this.#toggle('split')}>Split <kbd>T</kbd></button>
          <button class="small ${cockpit.serverGhost ? 'on' : ''}" @click=${() => this.#toggle('serverGhost')}>Server’s me <kbd>B</kbd></button>
          <button class="small" @click=${() => cockpit.desync(0.5)} title="Moves the prediction by 0.5 m">Desync <kbd>E</kbd></button>
          <button class="small" @click=${() => (this.help = true)}>Keys <kbd>?</kbd></button>
          <button class="small" @click=${this.#quit}>Leave</button>
        </div>
      </div>
    `;
  }

  #toggle(what: 'split' | 'serverGhost'): void {
    const { cockpit } = this;
    if (!cockpit) return;
    cockpit[what] = !cockpit[what];
    ++this.tick;
  }

  #quit(): void {
    this.#close();
    this.failure = '';
    this.#freshCanvas();
    this.#showBackdrop();
  }

  #banner(cockpit: Cockpit) {
    const { gap } = cockpit.failover;
    if (cockpit.session.state === 'reconnecting') {
      return html`<div class="banner warn" role="alert">The gateway is silent: the client reconnects, and goes on predicting.</div>`;
    }
    if (gap && !gap.healed) {
      return html`<div class="banner warn" role="alert">${gap.worker} is dead. ${gap.successor || 'Its standby'} takes over; your client goes on.</div>`;
    }
    return nothing;
  }

  #prompt(cockpit: Cockpit) {
    const { target } = cockpit;
    if (target) return html`<div class="prompt"><kbd>F</kbd> ${target.sentence}</div>`;
    if (!cockpit.controls.captured) return html`<div class="prompt faint">Click to look around · <kbd>?</kbd> all keys</div>`;
    return nothing;
  }

  #hook(): FlyHook {
    const { cockpit } = this;
    const own = cockpit?.own;
    const telemetry = cockpit?.telemetry;
    const { failover, reaction } = cockpit ?? {};
    return {
      state: cockpit?.session.state ?? '',
      playerName: cockpit?.playerName ?? '',
      inputToEyeMs: { last: reaction?.lastMs ?? NaN, median: reaction?.medianMs ?? NaN, count: reaction?.count ?? 0 },
      frameMs: {
        wasmP50: cockpit?.wasmTimes.quantile(0.5) ?? NaN, wasmP99: cockpit?.wasmTimes.quantile(0.99) ?? NaN,
        totalP50: cockpit?.frameTimes.quantile(0.5) ?? NaN, totalP99: cockpit?.frameTimes.quantile(0.99) ?? NaN,
      },
      framesPerSecond: cockpit?.framesPerSecond ?? 0,
      telemetry: {
        rttMs: telemetry?.rttMs ?? NaN, fullLoopMs: telemetry?.fullLoopMs ?? NaN, jitterMs: telemetry?.jitterMs ?? NaN,
        corrections: telemetry?.corrections ?? 0, largestCorrectionM: telemetry?.largestCorrectionM ?? 0,
      },
      own: own && { handle: own.handle, positionM: own.worldM, parent: own.parent, smoothing: cockpit!.smoothing },
      scene: { entities: cockpit?.sceneCount ?? 0, types: cockpit?.typeCounts ?? {} },
      truth: { entities: cockpit?.truthCount ?? 0, ownPositionM: cockpit?.trueOwnM },
      techniques: techniques.filter(({ key }) => cockpit?.off.has(key)).map((each) => settingOf(each, false)),
      link: cockpit?.link ?? 'none',
      outlinedFrames: cockpit?.outlinedFrames ?? 0,
      gap: failover?.gap && { ...failover.gap },
      split: cockpit?.split ?? false,
    };
  }
}
customElements.define('fly-page', FlyPage);

import { LitElement, html, nothing } from 'lit';
import { sentenceOf } from '../api/http.js';
import { route } from '../app/route.js';
import { cluster } from '../app/state.js';
import { noWebGl } from '../draw/screen.js';
import { showFly } from '../hooks.js';
import { RendersOn } from '../model/emitter.js';
import { fixed } from '../ui/format.js';
import { shared } from '../ui/shared.js';
import { Cockpit, type Part } from './cockpit.js';
import type { FailoverPanel } from './failover_panel.js';
import './failover_panel.js';
import { flyHook } from './fly_hook.js';
import './help_panel.js';
import { join } from './join.js';
import { hangar, type Pilot } from './pilot.js';
import './link_panel.js';
import type { NetPanel } from './net_panel.js';
import './net_panel.js';
import './techniques_panel.js';
import { flyStyles } from './fly_styles.js';
import { Picture } from './picture.js';

const nameKey = 'perigee.name';
const hitMarkMs = 220;
const hurtMarkMs = 420;
const statusEveryMs = 480;

/** The one that is shown. */
let currentPage: FlyPage | undefined;

/** The cockpit: the client library in the page, and everything that can be taken from it. */
export class FlyPage extends LitElement {
  static override properties = {
    cockpit: { state: true }, joining: { state: true }, failure: { state: true }, panels: { state: true },
    help: { state: true }, tick: { state: true }, noPicture: { state: true },
  };
  declare cockpit: Cockpit | undefined;
  declare joining: boolean;
  declare failure: string;
  declare panels: boolean;
  declare help: boolean;
  declare tick: number;
  declare noPicture: boolean;
  #unlisten: () => void = () => {};
  #picture: Picture | undefined;
  #idle = 0;
  /** 99th percentiles of the status line: they sort many times. */
  readonly #p99 = { atMs: 0, libraryMs: Number.NaN, frameMs: Number.NaN };

  static override styles = [shared, flyStyles];

  constructor() {
    super();
    this.joining = this.help = this.noPicture = false;
    this.panels = true;
    this.failure = '';
    this.tick = 0;
    new RendersOn(this, cluster);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    showFly(() => flyHook(this.cockpit));
    currentPage = this;
    addEventListener('pagehide', this.#leave);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    showFly(undefined);
    removeEventListener('pagehide', this.#leave);
    if (route.page === 'lens' && this.cockpit) this.#park(this.cockpit);
    else this.#leave();
    cancelAnimationFrame(this.#idle);
    this.#picture?.dispose();
    this.#picture = undefined;
  }

  override render() {
    return html`
      <canvas id="view" tabindex="0" aria-label="The world"></canvas>
      ${this.cockpit ? this.#flying(this.cockpit) : this.#form()}
    `;
  }

  /** Also when the page is shown again. */
  override updated(): void {
    if (this.#picture || this.noPicture || !this.isConnected) return;
    try {
      this.#picture = new Picture(this.#canvas);
    } catch (error) {
      console.error(error);
      this.noPicture = true;
      return;
    }
    void this.#picture.warmUp();
    const pilot = hangar.take();
    if (pilot) this.#fly(pilot, this.#picture);
    else this.#drawSky();
    if (hangar.ended !== '') [this.failure, hangar.ended] = [hangar.ended, ''];
  }

  get #canvas(): HTMLCanvasElement {
    return this.renderRoot.querySelector<HTMLCanvasElement>('#view')!;
  }

  /** Until a player has joined. */
  #drawSky(): void {
    const draw = (nowMs: number) => {
      this.#idle = requestAnimationFrame(draw);
      this.#picture?.drawIdle(nowMs);
    };
    cancelAnimationFrame(this.#idle);
    this.#idle = requestAnimationFrame(draw);
  }

  // ---- before: the name

  #form() {
    const why = cluster.hello === undefined ? '' : cluster.whyNot('log_in');
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
          <button class="main" id="join" ?disabled=${this.joining || why !== '' || this.noPicture}>${this.joining ? 'Joining…' : 'Join'}</button>
        </div>
        ${why !== '' ? html`<p class="why">${why}</p>` : nothing}
        ${this.noPicture ? html`<p class="why" role="alert">${noWebGl}</p>` : nothing}
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
      const pilot = await join(name, (why) => (hangar.pilot ? hangar.end(why) : currentPage?.ended(why)));
      if (this.#picture) this.#fly(pilot, this.#picture);
      else {
        // the page was left meanwhile
        hangar.keep(pilot);
        hangar.leave();
      }
    } catch (error) {
      this.failure = sentenceOf(error);
    }
    this.joining = false;
  }

  #fly(pilot: Pilot, picture: Picture): void {
    cancelAnimationFrame(this.#idle);
    const canvas = this.#canvas;
    this.cockpit = new Cockpit({
      canvas, picture, pilot, onKey: (code) => this.#onKey(code), onPart: (part) => this.#showPart(part),
    });
    this.#unlisten = this.cockpit.listen(() => ++this.tick);
    canvas.focus();
  }

  #showPart(part: Part): void {
    if (part === 'page') ++this.tick;
    else if (part === 'failover') this.renderRoot.querySelector<FailoverPanel>('failover-panel')?.requestUpdate();
    else this.renderRoot.querySelector<NetPanel>('net-panel')?.show(part);
  }

  #park(cockpit: Cockpit): void {
    this.#unlisten();
    this.cockpit = undefined;
    hangar.keep(cockpit.park());
  }

  /** The session ended by itself. */
  ended(why: string): void {
    this.#close();
    this.failure = why;
    this.#drawSky();
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
    else if (code === 'KeyL' && this.cockpit) location.hash = `#/lens/${this.cockpit.pilot.clientId}`;
    else if (code === 'KeyK') this.renderRoot.querySelector<FailoverPanel>('failover-panel')?.kill();
  }

  // ---- in the world

  #flying(cockpit: Cockpit) {
    const now = performance.now();
    return html`
      ${cockpit.choices.split ? html`<div class="divider"></div><span class="half left">mine</span><span class="half right">the server’s truth</span>` : nothing}
      <div class="sight ${now - cockpit.picture.marks.hitMs < hitMarkMs ? 'hit' : ''} ${cockpit.choices.split ? 'split' : ''}"></div>
      <div class="frame ${cockpit.picture.mine.smoothing ? 'smoothing' : ''} ${now - cockpit.picture.marks.hurtMs < hurtMarkMs ? 'hurt' : ''}"></div>
      ${this.#banner(cockpit)} ${this.#prompt(cockpit)}
      ${this.panels ? this.#panels(cockpit) : nothing} ${this.panels ? this.#status(cockpit) : nothing}
      ${this.help ? html`<help-panel @close=${() => (this.help = false)}></help-panel>` : nothing}
    `;
  }

  #panels(cockpit: Cockpit) {
    return html`
      <div class="column left">
        <techniques-panel .cockpit=${cockpit} .off=${cockpit.offKeys}></techniques-panel>
        <link-panel .cockpit=${cockpit} .link=${cockpit.link}></link-panel>
      </div>
      <div class="column right">
        <net-panel .cockpit=${cockpit}></net-panel>
        <failover-panel .cockpit=${cockpit}></failover-panel>
        <div class="tools">
          <button class="small ${cockpit.choices.split ? 'on' : ''}" @click=${() => this.#toggle('split')}>Split <kbd>T</kbd></button>
          <button class="small ${cockpit.choices.serverGhost ? 'on' : ''}" @click=${() => this.#toggle('serverGhost')}>Server’s me <kbd>B</kbd></button>
          <button class="small" @click=${() => cockpit.desync(0.5)} title="Moves the prediction by 0.5 m">Desync <kbd>E</kbd></button>
          <button class="small" @click=${() => (location.hash = `#/lens/${cockpit.pilot.clientId}`)}
            title="The last 30 s of this flight: both paths, and the cause of each correction">Lens <kbd>L</kbd></button>
          <button class="small" @click=${() => (this.help = true)}>Keys <kbd>?</kbd></button>
          <button class="small" @click=${this.#quit}>Leave</button>
        </div>
      </div>
    `;
  }

  #status(cockpit: Cockpit) {
    const p99 = this.#p99;
    const now = performance.now();
    if (now - p99.atMs >= statusEveryMs) {
      p99.atMs = now;
      p99.libraryMs = cockpit.wasmTimes.quantile(0.99);
      p99.frameMs = cockpit.frameTimes.quantile(0.99);
    }
    return html`<div class="status" title="Main thread, 99th percentile of the last frames: the client library, and the whole frame">
      <span><b>${fixed(cockpit.framesPerSecond)}</b> fps</span>
      <span>JS p99: library <b>${fixed(p99.libraryMs, 1)}</b> · frame <b>${fixed(p99.frameMs, 1)} ms</b></span>
      <span><b>${cockpit.sceneCount}</b> entities</span>
    </div>`;
  }

  #toggle(what: 'split' | 'serverGhost'): void {
    const choices = this.cockpit?.choices;
    if (!choices) return;
    choices[what] = !choices[what];
    ++this.tick;
  }

  #quit(): void {
    this.#close();
    this.failure = '';
    this.#drawSky();
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
}
customElements.define('fly-page', FlyPage);

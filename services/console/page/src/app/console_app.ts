import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { html as staticHtml, unsafeStatic } from 'lit/static-html.js';
import { sentenceOf } from '../api/http.js';
import { howToAct } from '../api/token.js';
import { RendersOn } from '../model/emitter.js';
import '../ui/confirm.js';
import { fixed, plural } from '../ui/format.js';
import { shared } from '../ui/shared.js';
import '../ui/toasts.js';
import { pages, route, type PageName } from './route.js';
import { cluster, live } from './state.js';

/** Heading, navigation, what is wrong, and the page. */
export class ConsoleApp extends LitElement {
  static override properties = { loaded: { state: true }, failure: { state: true } };
  declare loaded: PageName | undefined;
  declare failure: string;
  #wanted: PageName | undefined;
  #ticking = 0;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-rows: 46px auto minmax(0, 1fr);
        height: 100dvh;
      }
      header {
        display: flex;
        align-items: center;
        gap: 26px;
        padding: 0 18px;
        border-bottom: 1px solid var(--line);
        background: var(--bg);
      }
      .brand {
        display: flex;
        align-items: center;
        gap: 9px;
        font-size: 15px;
        font-weight: 600;
        letter-spacing: -0.015em;
        color: var(--text);
        text-decoration: none;
      }
      .brand img {
        width: 22px;
        height: 22px;
        display: block;
      }
      nav {
        display: flex;
        align-self: stretch;
        gap: 2px;
      }
      nav a {
        position: relative;
        display: flex;
        align-items: center;
        padding: 0 11px;
        color: var(--text-soft);
        text-decoration: none;
        transition: color 0.12s;
      }
      nav a:hover {
        color: var(--text);
      }
      nav a[aria-current] {
        color: var(--text);
        font-weight: 500;
      }
      nav a[aria-current]::after {
        content: '';
        position: absolute;
        inset: auto 11px -1px;
        height: 2px;
        border-radius: 2px;
        background: var(--accent);
      }
      .health {
        margin-left: auto;
        display: flex;
        align-items: center;
        gap: 16px;
        color: var(--text-soft);
        font-size: 12px;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      .health span {
        display: inline-flex;
        align-items: center;
        gap: 7px;
      }
      .health b {
        font-weight: 500;
        color: var(--text);
      }
      .banner {
        display: flex;
        align-items: center;
        gap: 12px;
        padding: 7px 18px;
        background: rgb(232 196 104 / 10%);
        border-bottom: 1px solid rgb(232 196 104 / 30%);
        color: #efd389;
      }
      .banner.bad {
        background: rgb(242 117 122 / 11%);
        border-color: rgb(242 117 122 / 32%);
        color: #f6b1b4;
      }
      main {
        position: relative;
        min-height: 0;
        overflow: hidden;
      }
      main > .notice {
        display: grid;
        place-content: center;
        height: 100%;
        padding: 24px;
        text-align: center;
        color: var(--text-soft);
      }
      @media (max-width: 1080px) {
        .wide {
          display: none !important;
        }
      }
      @media (max-width: 720px) {
        header {
          gap: 12px;
          padding: 0 14px;
        }
        nav {
          position: fixed;
          inset: auto 0 0;
          z-index: 40;
          height: 54px;
          padding-bottom: env(safe-area-inset-bottom);
          justify-content: space-around;
          background: #0a0d13;
          border-top: 1px solid var(--line);
        }
        nav a {
          padding: 0 6px;
          font-size: 12px;
        }
        nav a[aria-current]::after {
          inset: 0 6px auto;
        }
        .health {
          gap: 10px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.loaded = undefined;
    this.failure = '';
    new RendersOn(this, route, cluster, live);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ticking = window.setInterval(() => live.state === 'lost' && this.requestUpdate(), 500);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#ticking);
  }

  override render(): TemplateResult {
    void this.#load(route.page);
    return html`
      <header>
        <a class="brand" href="#/fly"><img src="./icon.svg" alt="" />perigee</a>
        <nav>
          ${pages.map(
            ({ name, title }) =>
              html`<a href="#/${name}" aria-current=${route.page === name ? 'page' : nothing}>${title}</a>`,
          )}
        </nav>
        <div class="health">${this.#health()}</div>
      </header>
      <div>${this.#banner()}</div>
      <main>${this.#page()}</main>
      <confirm-act></confirm-act>
      <toast-list></toast-list>
    `;
  }

  #page(): TemplateResult {
    if (this.failure !== '') return html`<div class="notice">${this.failure}</div>`;
    if (!this.loaded) return html`<div class="notice"></div>`;
    const tag = unsafeStatic(`${this.loaded}-page`);
    return staticHtml`<${tag}></${tag}>`;
  }

  /** The former page stays until the next one is loaded. */
  async #load(wanted: PageName): Promise<void> {
    if (this.#wanted === wanted) return;
    this.#wanted = wanted;
    try {
      await pages.find(({ name }) => name === wanted)!.load();
      if (this.#wanted !== wanted) return;
      this.failure = '';
      this.loaded = wanted;
      document.title = `${pages.find(({ name }) => name === wanted)!.title} · perigee`;
    } catch (error) {
      this.failure = `This page could not be loaded: ${sentenceOf(error)}. Load it again.`;
    }
  }

  #health(): TemplateResult {
    const { map } = cluster;
    const mode = cluster.hello
      ? html`<span class="tag ${cluster.mayAct ? 'good' : ''}"
          title=${cluster.mayAct ? 'This page has the console’s token.' : `To act, ${howToAct}.`}
          >${cluster.mayAct ? 'operator' : 'read only'}</span>`
      : nothing;
    if (!map) return html`${mode}`;
    const alive = map.workers.filter((worker) => worker.alive);
    const players = alive.reduce((sum, worker) => sum + (worker.players ?? 0), 0);
    const worst = Math.max(0, ...alive.map((worker) => worker.tickP99Ms ?? 0));
    const dead = map.workers.length - alive.length;
    const state = live.state !== 'open' || cluster.unreachable ? 'bad' : dead > 0 ? 'warn' : 'good';
    return html`
      <span><i class="dot ${state}"></i><b>${alive.length}</b>${alive.length === 1 ? 'worker' : 'workers'}</span>
      <span class="wide">tick p99 <b>${fixed(worst, 1)} ms</b></span>
      <span class="wide">${cluster.rate < 1 ? html`time at <b>${fixed(cluster.rate * 100)} %</b>` : nothing}</span>
      <span><b>${players}</b>${players === 1 ? 'player' : 'players'}</span>
      ${mode}
    `;
  }

  #banner(): TemplateResult | typeof nothing {
    if (live.state === 'lost') {
      const seconds = Math.max(0, Math.ceil((live.retryAtMs - performance.now()) / 1000));
      return html`<div class="banner bad" role="alert">
        <span>${live.reason}</span>
        ${live.retryAtMs > 0
          ? html`<span class="faint">Next try in ${plural(seconds, 'second')}.</span>
              <button class="small" @click=${() => live.connect()}>Try now</button>`
          : nothing}
      </div>`;
    }
    if (cluster.refused) return html`<div class="banner bad" role="alert">${cluster.refused}</div>`;
    if (cluster.unreachable) return html`<div class="banner" role="alert">${cluster.unreachable}</div>`;
    return nothing;
  }
}
customElements.define('console-app', ConsoleApp);

import { LitElement, html, nothing, type TemplateResult } from 'lit';
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
import { consoleStyles } from './console_styles.js';

/** Heading, navigation, what is wrong, and the page. */
export class ConsoleApp extends LitElement {
  static override properties = { loaded: { state: true }, failure: { state: true } };
  declare loaded: PageName | undefined;
  declare failure: string;
  #wanted: PageName | undefined;
  #ticking = 0;

  static override styles = [shared, consoleStyles];

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
          title=${cluster.mayAct ? `This page has a token of ${cluster.hello.operator}, with the scope ${cluster.hello.scopes}.` : `To act, ${howToAct}.`}
          >${cluster.mayAct ? (cluster.hello.operator === 'console' ? 'operator' : cluster.hello.operator) : 'read only'}</span>`
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

import { LitElement, css, html } from 'lit';
import { shared } from '../ui/shared.js';
import '../ui/cmd_line.js';
import type { Cockpit } from './cockpit.js';
import { hud } from './hud.js';

/** Profiles of the lab: base/src/link_profiles.cpp. */
const profiles: readonly [string, string][] = [
  ['P0', 'LAN, 1 ms'],
  ['P1', 'good: 50 ± 2 ms, 0.1 % loss'],
  ['P2', 'average: 100 ± 20 ms, 1 % loss'],
  ['P3', 'far: 300 ± 30 ms, 1 % loss'],
  ['P4', 'satellite: 700 ± 50 ms, 2 % loss'],
  ['P5', 'bursty wifi: 40 ± 5 ms, 2 % loss in bursts, stalls'],
  ['P6', 'reorder-heavy: 10 % displaced by up to 60 ms'],
  ['P8', 'bufferbloat: the queue to 3 s, once a minute'],
  ['P11', 'outages: interrupted for 1.5 s every 20 s'],
  ['P12', 'cellular beside a download, queue of 1 s'],
];
const pingMaxMs = 600;
const lossMaxPermille = 200;

/** A worse path to the gateway. */
export class LinkPanel extends LitElement {
  static override properties = {
    cockpit: { attribute: false }, link: {}, pingMs: { state: true }, jitterMs: { state: true }, lossPermille: { state: true },
  };
  declare cockpit: Cockpit;
  /** As the client library has it. */
  declare link: string;
  declare pingMs: number;
  declare jitterMs: number;
  declare lossPermille: number;

  static override styles = [
    shared,
    hud,
    css`
      .slider {
        display: grid;
        grid-template-columns: 44px 1fr 58px;
        align-items: center;
        gap: 9px;
        height: 23px;
      }
      .slider output {
        text-align: right;
        font-variant-numeric: tabular-nums;
      }
      .profiles {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
        margin: 8px 0 9px;
      }
      .profiles button {
        height: 22px;
        padding: 0 7px;
        font-size: 11px;
      }
      .profiles button.chosen {
        border-color: var(--accent);
        background: var(--accent-soft);
        color: #cfe0ff;
      }
    `,
  ];

  constructor() {
    super();
    this.link = 'none';
    this.pingMs = this.jitterMs = this.lossPermille = 0;
  }

  override render() {
    const { link } = this;
    const profile = profiles.find(([name]) => name === link);
    const own = link !== 'none' && !profile;
    return html`<section class="panel" aria-label="Network">
      <header>
        <h2>Network</h2>
        <span class="right">${profile ? profile[1] : own ? 'simulated' : 'as it is'}</span>
      </header>
      ${this.#slider('Ping', 'ping', this.pingMs, pingMaxMs, 10, `${this.pingMs} ms`)}
      ${this.#slider('Jitter', 'jitter', this.jitterMs, 100, 5, `± ${this.jitterMs} ms`)}
      ${this.#slider('Loss', 'loss', this.lossPermille, lossMaxPermille, 5, `${(this.lossPermille / 10).toFixed(1)} %`)}
      <div class="profiles">
        <button class=${link === 'none' ? 'chosen' : ''} @click=${() => this.#choose('none')}>none</button>
        ${profiles.map(
          ([name, about]) =>
            html`<button class=${link === name ? 'chosen' : ''} title=${about} @click=${() => this.#choose(name)}>${name}</button>`,
        )}
      </div>
      <cmd-line .text=${lineOf(link)} .prompt=${isProfile(link) ? '$' : 'C'}></cmd-line>
    </section>`;
  }

  #slider(label: string, id: string, value: number, max: number, step: number, shown: string) {
    return html`<label class="slider">
      <span class="soft">${label}</span>
      <input type="range" id=${id} min="0" max=${max} step=${step} .value=${String(value)}
        @change=${(event: Event) => (event.target as HTMLElement).blur()}
        @input=${(event: Event) => this.#slide(id, Number((event.target as HTMLInputElement).value))} />
      <output>${shown}</output>
    </label>`;
  }

  #slide(id: string, value: number): void {
    if (id === 'ping') this.pingMs = value;
    else if (id === 'jitter') this.jitterMs = value;
    else this.lossPermille = value;
    const words = [
      `delay-ms=${this.pingMs / 2}`,
      ...(this.jitterMs > 0 ? [`jitter-ms=${Math.ceil(this.jitterMs / 2)}`] : []),
      ...(this.lossPermille > 0 ? [`loss-permille=${this.lossPermille}`] : []),
    ];
    const none = this.pingMs === 0 && this.jitterMs === 0 && this.lossPermille === 0;
    this.cockpit.setLink(none ? 'none' : words.join(' '));
  }

  #choose(link: string): void {
    this.pingMs = this.jitterMs = this.lossPermille = 0;
    this.cockpit.setLink(link);
  }
}

/** Bots on the same path; only the library knows values of one's own. */
function lineOf(link: string): string {
  return isProfile(link) ? `./perigee bots --count 20 --profile ${link}` : `perigee_client_link(client, now_us, "${link}")`;
}
function isProfile(link: string): boolean {
  return /^P\d+$/.test(link);
}
customElements.define('link-panel', LinkPanel);

import { LitElement, css, html, nothing } from 'lit';
import { orderTechniques, perform, quoted } from '../api/acts.js';
import { sentenceOf } from '../api/http.js';
import { cluster } from '../app/state.js';
import '../ui/act_button.js';
import { shared } from '../ui/shared.js';

/** Keys and values of docs/tuning.md; the first value is the game's. */
const keys: readonly [string, readonly string[]][] = [
  ['prediction', ['on', 'off']], ['relative-prediction', ['on', 'off']],
  ['timeline', ['lead', 'playout', 'playout-in-trouble', 'on-arrival', 'suggested']],
  ['rollback', ['on', 'off']], ['redundancy', ['all', 'none']], ['send-every-ms', ['0', '20', '25']],
  ['view', ['near', 'shared-clock']], ['reconciler', ['replay', 'shift']],
  ['smoothing', ['quintic', 'none', 'constant-weight', 'fading-weight', 'exponential']],
  ['storm-breaker', ['on', 'off']],
];

/** What one player's client does about latency, and orders to it. */
export class PlayerTechniques extends LitElement {
  static override properties = {
    clientId: {}, name: {}, wanted: { state: true }, used: { state: true }, failure: { state: true },
  };
  declare clientId: string;
  declare name: string;
  /** Settings that differ from what the client uses. */
  declare wanted: ReadonlyMap<string, string>;
  declare used: ReadonlyMap<string, string>;
  declare failure: string;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 12px;
        padding: 6px 0 12px;
      }
      .keys {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(190px, 1fr));
        gap: 8px 16px;
      }
      label {
        display: grid;
        gap: 2px;
        font-size: 11px;
        color: var(--text-faint);
      }
      label.differs {
        color: var(--warn);
      }
      select {
        color: var(--text);
        font-size: 12px;
      }
    `,
  ];

  constructor() {
    super();
    this.clientId = this.name = this.failure = '';
    this.wanted = new Map();
    this.used = new Map();
  }

  override render() {
    const settings = [...this.wanted].map(([key, value]) => `${key}=${value}`).join(' ');
    const order = orderTechniques(this.clientId, this.name, settings);
    const why = cluster.whyNot(order.name);
    return html`
      <div class="keys">
        ${keys.map(([key, values]) => {
          const value = this.wanted.get(key) ?? this.used.get(key) ?? '';
          return html`<label class=${value !== '' && value !== values[0] ? 'differs' : ''}>${key}
            <select @change=${(event: Event) => this.#want(key, (event.target as HTMLSelectElement).value)} ?disabled=${why !== ''} title=${why}>
              ${value === '' ? html`<option selected>–</option>` : nothing}
              ${values.map((each) => html`<option ?selected=${each === value}>${each}</option>`)}
            </select>
          </label>`;
        })}
      </div>
      ${this.failure ? html`<span class="soft">${this.failure}</span>` : nothing}
      ${settings
        ? html`<act-button line .what=${order}></act-button>`
        : html`<div class="soft">
            ${why === ''
              ? html`<button class="small" @click=${this.#ask} title=${`./perigee ctl techniques ${quoted(`#${this.clientId}`)}`}>Ask the client</button>`
              : why}
          </div>`}
    `;
  }

  #want(key: string, value: string): void {
    const wanted = new Map(this.wanted);
    if (this.used.get(key) === value) wanted.delete(key);
    else wanted.set(key, value);
    this.wanted = wanted;
  }

  async #ask(): Promise<void> {
    this.failure = '';
    try {
      const { players } = await perform(orderTechniques(this.clientId, this.name, ''));
      const words = players[0]?.techniques ?? '';
      this.used = new Map(words.split(/[ ,]+/).filter(Boolean).map((word) => word.split('=') as [string, string]));
      if (words === '') this.failure = 'The client has not answered within 3 s.';
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }
}
customElements.define('player-techniques', PlayerTechniques);

import { LitElement, css, html, nothing } from 'lit';
import { setBalance, setRate } from '../api/acts.js';
import { cluster } from '../app/state.js';
import { RendersOn } from '../model/emitter.js';
import '../ui/act_button.js';
import { fixed } from '../ui/format.js';
import { shared } from '../ui/shared.js';

const rates = [undefined, 100, 75, 50] as const;

/** Acts on the cluster as a whole. */
export class ClusterControls extends LitElement {
  static override properties = { percent: { state: true } };
  declare percent: number | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 9px;
      }
      p {
        font-size: 12px;
        font-weight: 400;
        color: var(--text-soft);
      }
      select {
        height: 24px;
        padding: 0 4px;
      }
    `,
  ];

  constructor() {
    super();
    this.percent = undefined;
    new RendersOn(this, cluster);
  }

  override render() {
    const { map } = cluster;
    if (!map) return nothing;
    const ordered = map.ratePercent === undefined ? 'by load' : `ordered: ${map.ratePercent} %`;
    return html`
      <p>Balancing by load is <b>${map.balance ? 'on' : 'off'}</b>.</p>
      <act-button line .what=${setBalance(!map.balance)} label=${map.balance ? 'Stop' : 'Balance'}></act-button>
      <p>
        World time runs at <b>${fixed(cluster.rate * 100)} %</b> of real time, ${ordered}. Set it to
        <select @change=${(event: Event) => (this.percent = Number((event.target as HTMLSelectElement).value) || undefined)}>
          ${rates.map((percent) => html`<option value=${percent ?? ''} ?selected=${percent === this.percent}>${percent === undefined ? 'auto' : `${percent} %`}</option>`)}
        </select>
      </p>
      <act-button line .what=${setRate(this.percent)}></act-button>
    `;
  }
}
customElements.define('cluster-controls', ClusterControls);

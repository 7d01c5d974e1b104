import { LitElement, css, html, nothing } from 'lit';
import { drainWorker, killWorker, mergeRegion, moveRegion, splitRegion, undrainWorker, type Axis } from '../api/acts.js';
import type { Region, Worker } from '../api/types.js';
import { cluster } from '../app/state.js';
import { RendersOn } from '../model/emitter.js';
import '../ui/act_button.js';
import { count, fixed, metres } from '../ui/format.js';
import { workerColor } from '../ui/palette.js';
import { shared } from '../ui/shared.js';
import { SelectEvent, type Selection } from './selection.js';

/** The chosen worker or region: its figures, and what can be done. */
export class DetailPanel extends LitElement {
  static override properties = { selection: { attribute: false }, axis: { state: true }, to: { state: true } };
  declare selection: Selection;
  declare axis: Axis | '';
  /** Name of the worker that a region may go to. */
  declare to: string;

  static override styles = [
    shared,
    css`
      .title {
        display: flex;
        align-items: center;
        gap: 9px;
        margin-bottom: 12px;
        font-size: 16px;
        font-weight: 600;
        letter-spacing: -0.01em;
      }
      .title button {
        margin-left: auto;
      }
      .swatch {
        width: 11px;
        height: 11px;
        border-radius: 3px;
      }
      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 4px 14px;
        margin: 0 0 14px;
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
      .acts {
        display: grid;
        gap: 8px;
        margin-top: 14px;
        padding-top: 14px;
        border-top: 1px solid var(--line);
      }
      .choice {
        display: flex;
        align-items: center;
        gap: 8px;
        color: var(--text-soft);
        font-size: 12px;
      }
      .choice select {
        height: 24px;
        padding: 0 4px;
      }
      table {
        font-size: 12px;
      }
      td,
      th {
        padding-top: 3px;
        padding-bottom: 3px;
      }
      td:last-child,
      th:last-child {
        padding-right: 0;
      }
    `,
  ];

  constructor() {
    super();
    this.selection = undefined;
    this.axis = '';
    this.to = '';
    new RendersOn(this, cluster);
  }

  override render() {
    const { selection } = this;
    if (selection?.kind === 'worker') {
      const worker = cluster.worker(selection.slot);
      return worker ? this.#worker(worker) : nothing;
    }
    const region = selection && cluster.region(selection.region);
    return region ? this.#region(region) : nothing;
  }

  #title(name: string, slot: number | undefined) {
    return html`<div class="title">
      <span class="swatch" style="background:${workerColor(slot)}"></span>${name}
      <button class="plain small" aria-label="Close" @click=${() => this.dispatchEvent(new SelectEvent(undefined))}>✕</button>
    </div>`;
  }

  #worker(worker: Worker) {
    const status = cluster.statuses.get(worker.slot);
    const lagMs = Number(status?.tickLagUs ?? 0) / 1000;
    return html`
      ${this.#title(worker.name, worker.slot)}
      <dl>
        <dt>tick p50, p99</dt>
        <dd>${fixed((status?.tickP50Us ?? NaN) / 1000, 2)}, ${fixed((status?.tickP99Us ?? NaN) / 1000, 2)} ms</dd>
        <dt>load, of it fixed</dt>
        <dd>${fixed(worker.loadMs, 2)}, ${fixed(worker.overheadMs, 2)} ms</dd>
        <dt>behind world time</dt>
        <dd>${fixed(lagMs, 1)} ms</dd>
        <dt>overruns, late inputs</dt>
        <dd>${status?.overruns ?? '–'}, ${status?.inputsLate ?? '–'}</dd>
        <dt>standby</dt>
        <dd>${worker.standby === undefined ? 'none' : cluster.workerName(worker.standby)}${worker.standbyInSync ? ', in sync' : ''}</dd>
        <dt>incarnation, slot</dt>
        <dd>${worker.incarnation}, ${worker.slot}</dd>
        <dt>in doubt</dt>
        <dd>${status?.groupsInDoubt ?? '–'} groups</dd>
        <dt>build</dt>
        <dd class="mono">${worker.build}</dd>
      </dl>
      ${status ? kinds(status.entities) : nothing}
      <div class="acts">
        <act-button line .what=${worker.draining ? undrainWorker(worker.name) : drainWorker(worker.name)} ?disabled=${!worker.alive}></act-button>
        <act-button line .what=${killWorker(worker.name)} ?disabled=${!worker.alive}></act-button>
        ${worker.alive && !worker.standbyInSync
          ? html`<act-button line label="Kill, force" .what=${killWorker(worker.name, true)}></act-button>`
          : nothing}
      </div>
    `;
  }

  #region(region: Region) {
    const { low, high } = region;
    const others = (cluster.map?.workers ?? []).filter(({ alive, slot }) => alive && slot !== region.owner);
    const to = others.find(({ name }) => name === this.to) ?? others[0];
    const span = (low: number, high: number) => `${metres(low)} … ${metres(high)}`;
    return html`
      ${this.#title(`Region ${region.region}`, region.owner)}
      <dl>
        <dt>owner</dt>
        <dd>${cluster.workerName(region.owner)}</dd>
        <dt>epoch</dt>
        <dd>${region.epoch}${region.changing ? ', changing' : ''}</dd>
        <dt>cost of a tick</dt>
        <dd>${fixed(region.costMs, 2)} ms</dd>
        <dt>entities</dt>
        <dd>${count(region.entities)}${region.away > 0 ? html` <span class="tag warn">${region.away} not here yet</span>` : nothing}</dd>
        <dt>x</dt>
        <dd>${span(low.x, high.x)}</dd>
        <dt>y</dt>
        <dd>${span(low.y, high.y)}</dd>
        <dt>z</dt>
        <dd>${span(low.z, high.z)}</dd>
      </dl>
      <div class="acts">
        <label class="choice">Split across
          <select @change=${(event: Event) => (this.axis = (event.target as HTMLSelectElement).value as Axis | '')}>
            <option value="" ?selected=${this.axis === ''}>the longest side</option>
            ${(['x', 'y', 'z'] as const).map((axis) => html`<option value=${axis} ?selected=${this.axis === axis}>${axis}</option>`)}
          </select>
        </label>
        <act-button line .what=${this.axis === '' ? splitRegion(region.region) : splitRegion(region.region, this.axis)}></act-button>
        <act-button line .what=${mergeRegion(region.region)}></act-button>
        ${to
          ? html`<label class="choice">Move to
                <select @change=${(event: Event) => (this.to = (event.target as HTMLSelectElement).value)}>
                  ${others.map(({ name }) => html`<option value=${name} ?selected=${name === to.name}>${name}</option>`)}
                </select>
              </label>
              <act-button line .what=${moveRegion(region.region, to.name)}></act-button>`
          : nothing}
      </div>
    `;
  }
}
customElements.define('detail-panel', DetailPanel);

function kinds(entities: { kind: string; count: number; ghosts: number }[]) {
  const shown = entities.filter(({ count: own, ghosts }) => own > 0 || ghosts > 0).toSorted((a, b) => b.count - a.count);
  return html`<table>
    <thead>
      <tr><th>kind</th><th class="number">own</th><th class="number">ghosts</th></tr>
    </thead>
    <tbody>
      ${shown.map(
        (each) => html`<tr><td>${each.kind}</td><td class="number">${count(each.count)}</td><td class="number faint">${count(each.ghosts)}</td></tr>`,
      )}
    </tbody>
  </table>`;
}

import { LitElement, css, html, nothing } from 'lit';
import type { Worker } from '../api/types.js';
import { cluster } from '../app/state.js';
import { RendersOn } from '../model/emitter.js';
import { count, fixed } from '../ui/format.js';
import { workerColor } from '../ui/palette.js';
import { shared } from '../ui/shared.js';
import { SelectEvent, same, type Selection } from './selection.js';

const tickMs = 1000 / 60;

/** All workers: load, ticks, and what they own. */
export class WorkerList extends LitElement {
  static override properties = { selection: { attribute: false } };
  declare selection: Selection;

  static override styles = [
    shared,
    css`
      button {
        display: grid;
        grid-template-columns: 10px minmax(0, 1fr) auto;
        gap: 4px 9px;
        align-items: center;
        width: 100%;
        height: auto;
        padding: 8px 10px;
        border: 1px solid transparent;
        border-radius: 6px;
        background: none;
        text-align: left;
      }
      button.chosen {
        border-color: var(--line-strong);
        background: var(--accent-soft);
      }
      .swatch {
        width: 10px;
        height: 10px;
        border-radius: 3px;
      }
      .name {
        display: flex;
        align-items: baseline;
        gap: 7px;
        font-weight: 600;
      }
      .name small {
        font-weight: 400;
        color: var(--text-faint);
      }
      .bar {
        grid-column: 2 / -1;
        height: 3px;
        border-radius: 2px;
        background: rgb(150 170 205 / 13%);
        overflow: hidden;
      }
      .bar i {
        display: block;
        height: 100%;
        border-radius: 2px;
        transition: width 0.4s;
      }
      .figures {
        grid-column: 2 / -1;
        display: flex;
        flex-wrap: wrap;
        gap: 0 12px;
        font-size: 11px;
        color: var(--text-faint);
        font-variant-numeric: tabular-nums;
      }
      b {
        font-weight: 500;
        color: var(--text-soft);
      }
    `,
  ];

  constructor() {
    super();
    this.selection = undefined;
    new RendersOn(this, cluster);
  }

  override render() {
    return (cluster.map?.workers ?? []).map((worker) => this.#row(worker));
  }

  #row(worker: Worker) {
    const selection: Selection = { kind: 'worker', slot: worker.slot };
    const regions = cluster.map!.regions.filter(({ owner }) => owner === worker.slot).length;
    const share = Math.min(1, (worker.loadMs ?? 0) / tickMs);
    const p99 = (cluster.statuses.get(worker.slot)?.tickP99Us ?? (worker.tickP99Ms ?? 0) * 1000) / 1000;
    return html`<button
      class=${same(this.selection, selection) ? 'chosen' : ''}
      @click=${() => this.dispatchEvent(new SelectEvent(selection))}
    >
      <span class="swatch" style="background:${worker.alive ? workerColor(worker.slot) : '#3b4352'}"></span>
      <span class="name">${worker.name}<small>${regions} ${regions === 1 ? 'region' : 'regions'}</small></span>
      ${stateOf(worker)}
      <span class="bar" title="Processor time of a tick: ${fixed(worker.loadMs, 2)} of ${tickMs.toFixed(1)} ms">
        <i style="width:${(share * 100).toFixed(1)}%;background:${share > 0.75 ? 'var(--bad)' : workerColor(worker.slot)}"></i>
      </span>
      <span class="figures">
        <span>load <b>${fixed(worker.loadMs, 1)} ms</b></span>
        <span>p99 <b>${fixed(p99, 1)} ms</b></span>
        <span><b>${count(worker.entities)}</b> entities</span>
        <span><b>${count(worker.players)}</b> players</span>
      </span>
    </button>`;
  }
}
customElements.define('worker-list', WorkerList);

const levels: Record<string, string> = {
  OVERLOAD_LEVEL_STRETCHED: 'stretched',
  OVERLOAD_LEVEL_RELIEF: 'overloaded',
};

function stateOf(worker: Worker) {
  if (!worker.alive) return html`<span class="tag bad">not alive</span>`;
  if (worker.draining) return html`<span class="tag warn">draining</span>`;
  const level = levels[worker.level ?? ''];
  if (level) return html`<span class="tag warn">${level}</span>`;
  if (!worker.standbyInSync) return html`<span class="tag warn" title="No other worker has everything that it has.">no standby</span>`;
  return nothing;
}

import { LitElement, html, nothing } from 'lit';
import type { Region } from '../api/types.js';
import { cluster, entities, live } from '../app/state.js';
import { noWebGl } from '../draw/screen.js';
import { showWorld, type WorldHook } from '../hooks.js';
import { actorFlag } from '../model/entities.js';
import { RendersOn } from '../model/emitter.js';
import { count, fixed, metres } from '../ui/format.js';
import { workerColor } from '../ui/palette.js';
import { shared } from '../ui/shared.js';
import './cluster_controls.js';
import './detail_panel.js';
import { SelectEvent, same, type Selection } from './selection.js';
import './worker_list.js';
import { WorldMap, type View } from './world_map.js';
import { worldStyles } from './world_styles.js';

const labelsMax = 60;
const labelHalfWidth = 84;
const tipWidth = 340;
const hoverEveryMs = 80;
const figuresEveryMs = 400;

/** Regions, workers and entities of the whole world, live. */
export class WorldPage extends LitElement {
  static override properties = {
    selection: { state: true }, view: { state: true }, ghosts: { state: true }, noPicture: { state: true },
    hover: { state: true }, figures: { state: true },
  };
  declare selection: Selection;
  declare view: View;
  declare ghosts: boolean;
  declare noPicture: boolean;
  declare hover: { x: number; y: number; text: string } | undefined;
  declare figures: { players: number };
  #map: WorldMap | undefined;
  #stopWatching: () => void = () => {};
  #hoveredMs = 0;
  #figuresMs = 0;

  static override styles = [shared, worldStyles];

  constructor() {
    super();
    this.selection = undefined;
    this.view = 'perspective';
    this.ghosts = this.noPicture = false;
    this.figures = { players: 0 };
    new RendersOn(this, cluster);
    this.addEventListener('choose', (event) => this.#choose((event as SelectEvent).selection));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopWatching = live.watchEntities();
    showWorld(() => this.#hook());
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWatching();
    showWorld(undefined);
    this.#map?.end();
    this.#map = undefined;
  }

  override updated(): void {
    if (!this.#map && !this.noPicture && this.isConnected) this.#begin();
  }

  override render() {
    const regions = cluster.map?.regions ?? [];
    return html`
      <div class="map">
        ${this.noPicture
          ? html`<div class="notice">${noWebGl}</div>`
          : html`<canvas @pointermove=${this.#onMove} @pointerleave=${() => (this.hover = undefined)}
                @pointerdown=${this.#onDown} @pointerup=${this.#onUp}></canvas>
              <div class="labels">
                ${regions.slice(0, labelsMax).map(
                  ({ region, owner, epoch }) => html`<span data-region=${region} style="color:${workerColor(owner)}">
                    ${cluster.workerName(owner)} <small>region ${region} · epoch ${epoch}</small></span>`,
                )}
              </div>
              ${this.#tools()}`}
        ${this.hover ? html`<div class="tip" style=${this.#tipPlace(this.hover)}>${this.hover.text}</div>` : nothing}
        ${this.#status()}
      </div>
      <aside>
        ${this.selection ? html`<section><detail-panel .selection=${this.selection}></detail-panel></section>` : nothing}
        <section><h2>Workers</h2><worker-list .selection=${this.selection}></worker-list></section>
        <section>
          <h2>Regions</h2>
          <div class="regions">${regions.map((region) => this.#regionButton(region))}</div>
        </section>
        <section><h2>Cluster</h2><cluster-controls></cluster-controls></section>
      </aside>
    `;
  }

  #tools() {
    const view = (name: View, title: string) =>
      html`<button class=${this.view === name ? 'on' : ''} @click=${() => this.#turn(name)}>${title}</button>`;
    return html`<div class="tools">
      <div class="group">${view('perspective', 'Perspective')}${view('above', 'Above')}</div>
      <div class="group">
        <button @click=${() => this.#map?.fit('content')}>Entities</button>
        <button @click=${() => this.#map?.fit('world')}>World</button>
      </div>
      <div class="group">
        <button class=${this.ghosts ? 'on' : ''} aria-pressed=${this.ghosts} @click=${this.#toggleGhosts}
          title="What workers know of others’ entities, as rings in the colour of the worker that knows them">Ghosts</button>
      </div>
    </div>`;
  }

  #status() {
    return html`<div class="status">
      <span><b>${count(entities.owned.count)}</b> entities</span>
      <span><b>${count(entities.ghosts.count)}</b> ghosts</span>
      <span><b>${count(this.figures.players)}</b> players</span>
      <span><b>${count(entities.migrationsSeen)}</b> migrations</span>
      <span>frame p99 <b>${fixed(this.#map?.frameTimes.quantile(0.99), 1)} ms</b></span>
    </div>`;
  }

  #regionButton(region: Region) {
    const selection: Selection = { kind: 'region', region: region.region };
    return html`<button class=${same(this.selection, selection) ? 'chosen' : ''}
      title="${cluster.workerName(region.owner)}, ${region.entities} entities, ${fixed(region.costMs, 2)} ms a tick"
      @click=${() => this.#choose(selection)}>
      <i style="background:${workerColor(region.owner)}"></i>${region.region}<span class="faint">${count(region.entities)}</span>
    </button>`;
  }

  #begin(): void {
    const canvas = this.renderRoot.querySelector('canvas')!;
    try {
      this.#map = new WorldMap(canvas);
    } catch (error) {
      console.error(error);
      this.noPicture = true;
      return;
    }
    this.#map.onFrame = () => this.#onFrame();
  }

  #turn(view: View): void {
    this.view = view;
    this.#map?.turn(view);
  }

  #toggleGhosts(): void {
    this.ghosts = !this.ghosts;
    if (this.#map) this.#map.showGhosts = this.ghosts;
  }

  #choose(selection: Selection): void {
    this.selection = selection;
    const map = this.#map;
    if (!map) return;
    const regions = (cluster.map?.regions ?? []).filter(({ region, owner }) =>
      selection?.kind === 'region' ? region === selection.region : selection?.kind === 'worker' && owner === selection.slot,
    );
    map.selected = new Set(regions.map(({ region }) => region));
  }

  // ---- the pointer: a click chooses, a drag turns the picture

  #down = { x: 0, y: 0 };
  #onDown(event: PointerEvent): void {
    this.#down = { x: event.clientX, y: event.clientY };
  }
  #onUp(event: PointerEvent): void {
    if (Math.hypot(event.clientX - this.#down.x, event.clientY - this.#down.y) > 5) return;
    const { region } = this.#map?.pick(event.offsetX, event.offsetY) ?? {};
    this.#choose(region && { kind: 'region', region: region.region });
  }
  #onMove({ offsetX: x, offsetY: y, timeStamp, buttons }: PointerEvent): void {
    if (timeStamp - this.#hoveredMs < hoverEveryMs) return;
    this.#hoveredMs = timeStamp;
    const { row } = buttons === 0 ? (this.#map?.pick(x, y) ?? {}) : {};
    if (row === undefined) {
      this.hover = undefined;
      return;
    }
    const { owned } = entities;
    const kind = cluster.kinds[owned.type[row]!]?.name ?? `type ${owned.type[row]}`;
    const at = [0, 1, 2].map((i) => metres(owned.pose[row * 7 + i]!)).join(', ');
    this.hover = { x, y, text: `${kind} #${owned.handle[row]} · ${cluster.workerName(owned.slot[row])} · ${at}` };
  }

  /** To the right of the pointer; to its left near the edge. */
  #tipPlace({ x, y }: { x: number; y: number }): string {
    const width = this.renderRoot.querySelector('canvas')?.clientWidth ?? 0;
    return x < width - tipWidth ? `left:${x}px;top:${y}px` : `right:${width - x + 28}px;top:${y}px`;
  }

  /** Labels follow the picture without a render of the page. */
  #onFrame(): void {
    const map = this.#map!;
    const width = this.renderRoot.querySelector('canvas')?.clientWidth ?? 0;
    for (const label of this.renderRoot.querySelectorAll<HTMLElement>('.labels span')) {
      const region = cluster.region(Number(label.dataset['region']));
      const at = region && map.project(anchorOf(region));
      label.style.visibility = at ? 'visible' : 'hidden';
      if (!at) continue;
      const x = Math.max(labelHalfWidth, Math.min(width - labelHalfWidth, at.x));
      label.style.transform = `translate(${x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -50%)`;
    }
    const now = performance.now();
    if (now - this.#figuresMs < figuresEveryMs) return;
    this.#figuresMs = now;
    this.figures = { players: players() };
  }

  #hook(): WorldHook {
    const { selection } = this;
    return {
      regions: cluster.map?.regions.length ?? 0,
      workers: cluster.map?.workers.filter(({ alive }) => alive).length ?? 0,
      entities: entities.owned.count,
      ghosts: entities.ghosts.count,
      players: players(),
      migrations: entities.migrationsSeen,
      selected: selection === undefined ? '' : selection.kind === 'worker' ? `worker ${selection.slot}` : `region ${selection.region}`,
      frameMs: { p50: this.#map?.frameTimes.quantile(0.5) ?? NaN, p99: this.#map?.frameTimes.quantile(0.99) ?? NaN },
    };
  }
}
customElements.define('world-page', WorldPage);

function players(): number {
  const { owned } = entities;
  let actors = 0;
  for (let row = 0; row < owned.count; ++row) if ((owned.flags[row]! & actorFlag) !== 0) ++actors;
  return actors;
}

/** Where a region's label is: on its floor, not too far from where most things are. */
function anchorOf({ low, high }: Region): { x: number; y: number; z: number } {
  const inner = (from: number, to: number) => (Math.max(from, -2600) + Math.min(to, 2600)) / 2;
  const near = (from: number, to: number) => Math.min(Math.max(inner(from, to), from), to);
  return { x: near(low.x, high.x), y: Math.max(low.y, Math.min(0, high.y)), z: near(low.z, high.z) };
}

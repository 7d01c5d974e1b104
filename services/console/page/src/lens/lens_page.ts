import { LitElement, html, nothing } from 'lit';
import type { FlightCorrection } from '@perigee/client';
import { armRecorder } from '../api/acts.js';
import { route } from '../app/route.js';
import { cluster } from '../app/state.js';
import { hangar } from '../fly/pilot.js';
import { showLens } from '../hooks.js';
import { RendersOn } from '../model/emitter.js';
import '../ui/cmd_line.js';
import { shared } from '../ui/shared.js';
import { ChooseEvent } from './correction_panel.js';
import './correction_panel.js';
import { FlightSource } from './flight_source.js';
import { lensStyles } from './lens_styles.js';
import './moment_panel.js';
import './path_view.js';
import { pathColors } from './path_colors.js';
import { contentOf, FailEvent, OpenEvent, type PlayerList } from './player_list.js';
import './player_list.js';
import { ScrubEvent } from './timeline.js';
import './timeline.js';

/** One player's last seconds: predicted, server, the error between them, and the cause of each correction. */
export class LensPage extends LitElement {
  static override properties = { cursor: { state: true }, chosenAt: { state: true } };
  /** A tick; undefined: the newest. */
  declare cursor: number | undefined;
  /** The chosen correction's tick. */
  declare chosenAt: number | undefined;
  readonly #source = new FlightSource();
  #shown = '';

  static override styles = [shared, lensStyles];

  constructor() {
    super();
    this.cursor = this.chosenAt = undefined;
    new RendersOn(this, route, cluster, this.#source);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
    showLens(() => this.#hook());
    this.#follow();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
    showLens(undefined);
    this.#source.end();
    if (route.page !== 'fly') hangar.leave();
  }

  override willUpdate(): void {
    this.#follow();
  }

  override render() {
    const { model, failure } = this.#source;
    return html`
      <player-list class="players" .clientId=${this.#source.armed?.clientId ?? ''}
        @known=${() => this.requestUpdate()} @open-files=${(event: OpenEvent) => void this.#open(event.files)}
        @fail=${(event: FailEvent) => ((this.#source.failure = event.sentence), this.requestUpdate())}></player-list>
      <div class="main" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.#drop}
        @scrub=${(event: ScrubEvent) => this.#scrub(event.row)} @choose=${(event: ChooseEvent) => this.#choose(event.correction)}>
        ${this.#head()}
        ${failure ? html`<p class="failure" role="alert" id="failure">${failure}</p>` : nothing}
        ${model
          ? html`
              <div class="picture">
                <path-view .model=${model} .row=${this.#row}></path-view>
                <moment-panel .model=${model} .row=${this.#row}></moment-panel>
                ${this.#legend()}
              </div>
              <correction-panel class="side" .model=${model} .chosen=${this.#chosen}></correction-panel>
              <div class="time">
                <flight-timeline .model=${model} .row=${this.#row}></flight-timeline>
                ${this.#foot()}
              </div>
            `
          : html`<div class="empty">${this.#empty()}</div>`}
      </div>
    `;
  }

  // ---- the player, or the files

  #follow(): void {
    const wanted = route.page === 'lens' ? route.part : '';
    const clientId = wanted || (this.#shown === '' ? (hangar.pilot?.clientId ?? '') : '');
    if (clientId === '' || clientId === this.#shown) return;
    this.#shown = clientId;
    this.cursor = this.chosenAt = undefined;
    const name = hangar.pilot?.clientId === clientId ? hangar.pilot.playerName : `#${clientId}`;
    this.#source.follow(clientId, name);
  }

  async #open(files: { name: string; bytes: Uint8Array }[]): Promise<void> {
    this.#shown = 'files';
    if (route.part !== '') history.replaceState(null, '', '#/lens');
    route.part = '';
    this.cursor = this.chosenAt = undefined;
    await this.#source.open(files);
    const worst = [...(this.#source.model?.corrections ?? [])].sort((a, b) => b.meters - a.meters)[0];
    if (worst) this.#choose(worst);
  }

  readonly #drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) await this.#open(await contentOf(files));
  };

  // ---- the cursor

  get #row(): number {
    const { model } = this.#source;
    if (!model) return 0;
    return this.cursor === undefined ? model.newestShared : model.rowOf(this.cursor);
  }
  get #chosen(): FlightCorrection | undefined {
    const corrections = this.#source.model?.corrections ?? [];
    if (this.#source.live) return corrections.at(-1);
    return corrections.find(({ at }) => at === this.chosenAt);
  }

  /** A look at a moment: the picture stands still from now on. */
  #scrub(row: number): void {
    const { model } = this.#source;
    if (!model) return;
    this.cursor = model.tickOf(row);
    this.#source.setLive(false);
    const near = model.corrections.find((correction) => {
      const end = model.rowOf(correction.at);
      return row <= end && row >= (correction.parted === undefined ? end - 1 : model.rowOf(correction.parted) - 1);
    });
    if (near) this.chosenAt = near.at;
  }

  #choose(correction: FlightCorrection): void {
    const { model } = this.#source;
    if (!model) return;
    this.#scrub(model.rowOfCorrection(correction));
    this.chosenAt = correction.at;
  }

  #step(direction: -1 | 1): void {
    const { model } = this.#source;
    if (!model) return;
    // The newest correction may be newer than the newest tick that both sides have.
    const newest = model.count;
    const here = this.#source.live ? newest : this.chosenAt === undefined ? this.#row + 1 : model.rowOf(this.chosenAt);
    const rows = model.corrections.map((correction) => ({ correction, row: model.rowOf(correction.at) }));
    const next = direction < 0 ? rows.findLast(({ row }) => row < here) : rows.find(({ row }) => row > here);
    if (next) this.#choose(next.correction);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const typing = event.composedPath()[0] instanceof HTMLInputElement;
    const { model } = this.#source;
    if (typing || !model || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '[') this.#step(-1);
    else if (event.key === ']') this.#step(1);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      if (event.defaultPrevented) return;
      const step = (event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 10 : 1);
      this.#scrub(Math.max(0, Math.min(model.count - 1, this.#row + step)));
    } else return;
    event.preventDefault();
  };

  // ---- around it

  #head() {
    const source = this.#source;
    const { armed } = source;
    if (source.files.length > 0) return html`<div class="head"><h1>${source.files.join(' + ')}</h1></div>`;
    if (!armed) return html`<div class="head"><h1>Lens</h1></div>`;
    const { recorder } = armed;
    const act = armRecorder(armed.clientId, source.playerName, recorder ? 0 : 600);
    const why = cluster.whyNot(act.name);
    return html`<div class="head">
      <h1>${this.#name}</h1>
      ${source.own ? html`<span class="tag">you</span>` : nothing}
      ${recorder
        ? html`<span class="recording"><i></i>${(recorder.ticks / 60).toFixed(0)} s on ${armed.worker}</span>`
        : html`<span class="soft">not recorded</span>`}
      ${armed.failure ? html`<span class="why" role="alert">${armed.failure}</span>` : nothing}
      <span class="grow"></span>
      <button class="small ${source.live ? 'on' : ''}" id="live" ?disabled=${!recorder && !source.own} @click=${this.#toggleLive}
        title="The newest seconds, once a second">${source.live ? 'Live' : 'Go live'}</button>
      ${recorder
        ? html`<button class="small" id="stop" ?disabled=${why !== ''} title=${why || act.command} @click=${() => void armed.free()}>Stop recording</button>`
        : html`<button class="small main" id="record" ?disabled=${why !== ''} title=${why || `${act.consequence}\n${act.command}`}
            @click=${() => void armed.keep()}>Record</button>`}
      <button class="small" id="save" ?disabled=${!source.model} @click=${this.#save}>Save recording</button>
      ${source.own ? html`<a class="back" href="#/fly">Back to the cockpit</a>` : nothing}
    </div>`;
  }

  get #name(): string {
    const { playerName } = this.#source;
    if (!playerName.startsWith('#')) return playerName;
    const list = this.renderRoot.querySelector<PlayerList>('player-list');
    return list?.sessions.find(({ clientId }) => `#${clientId}` === playerName)?.playerName ?? playerName;
  }

  #legend() {
    const { model } = this.#source;
    return html`<div class="legend">
      <span><i style="background:${pathColors.believed}"></i>${model!.hasClient ? 'predicted' : 'claimed by the client'}</span>
      <span><i style="background:${pathColors.server}"></i>server</span>
      <span><i style="background:${pathColors.error}"></i>error</span>
    </div>`;
  }

  #foot() {
    const { model, armed, files } = this.#source;
    const stem = `flight-${model!.flight.avatar}`;
    const command = files.length > 0
      ? `./perigee replay ${files.join(' ')}`
      : armed && `./perigee ctl recording '#${armed.clientId}' ${stem}-worker.flight && ./perigee replay ${this.#source.halves.client ? `${stem}-client.flight ` : ''}${stem}-worker.flight`;
    return html`<div class="foot">
      <span class="faint"><kbd>←</kbd> <kbd>→</kbd> a tick · <kbd>[</kbd> <kbd>]</kbd> a correction</span>
      ${this.#checked()}
      <cmd-line .text=${command ?? ''}></cmd-line>
    </div>`;
  }

  /** Whether the replay has the same bits. */
  #checked() {
    const { flight } = this.#source.model!;
    if (!flight.rules) return html`<span class="tag warn">this page has not the rules of ${flight.game}: no causes</span>`;
    if (flight.tunables.length > 0) return html`<span class="tag bad" title=${flight.tunables.map(({ field }) => field).join(', ')}>client and worker have other tunables</span>`;
    const reruns = flight.halves.flatMap(({ rerun }) => (rerun ? [rerun] : []));
    if (reruns.length === 0) return nothing;
    const bits = reruns.reduce((sum, { bitsDiffer }) => sum + bitsDiffer, 0);
    return bits === 0
      ? html`<span class="tag good" title="Every recorded tick ran again in this page">replayed: 0 bits differ</span>`
      : html`<span class="tag bad" title="Another build, or other rules">replayed: ${bits} bits differ</span>`;
  }

  #empty() {
    const { armed, failure } = this.#source;
    if (failure) return html`<p>Choose a player, or open another recording.</p>`;
    if (armed?.recorder || (armed && this.#source.own)) return html`<p>The first seconds are on their way.</p>`;
    if (armed) {
      const why = cluster.whyNot('arm_recorder');
      return html`<p><b>${this.#name}</b> is not recorded. A recorder keeps the last 30 s: what the server computed, and what the client claimed.</p>
        <button class="main" id="record-now" ?disabled=${why !== ''} title=${why} @click=${() => void armed.keep()}>Record ${this.#name}</button>
        <cmd-line .text=${armRecorder(armed.clientId, '', 600).command}></cmd-line>
        ${why === '' ? nothing : html`<p class="faint">${why}</p>`}`;
    }
    return html`<p>Every correction has a cause. Choose a player, or drop the files of a flight here: one side's, or both.</p>
      <cmd-line text="./perigee lab --scenarios L2 --profiles P3 --record /tmp/flights"></cmd-line>`;
  }

  readonly #toggleLive = (): void => {
    const live = !this.#source.live;
    if (live) this.cursor = this.chosenAt = undefined;
    this.#source.setLive(live);
  };

  readonly #save = (): void => {
    const { halves, model } = this.#source;
    for (const [side, bytes] of Object.entries(halves) as [string, Uint8Array<ArrayBuffer> | undefined][]) {
      if (!bytes) continue;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
      link.download = `flight-${model!.flight.avatar}-${model!.tickOf(model!.count - 1)}-${side}.flight`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    }
  };

  #hook() {
    const { model, live, failure, replayMs, own } = this.#source;
    const chosen = this.#chosen;
    return {
      clientId: this.#source.armed?.clientId ?? '', own, live, failure, replayMs,
      ticks: model?.count ?? 0, hasClient: model?.hasClient ?? false, hasServer: model?.hasServer ?? false,
      tick: model?.tickOf(this.#row) ?? 0, errorM: model?.errorAt(this.#row) ?? NaN,
      corrections: (model?.corrections ?? []).map(({ at, meters, noted, cause }) => ({ at, meters, noted: noted ?? '', cause: cause ?? '' })),
      chosen: chosen && { at: chosen.at, meters: chosen.meters, noted: chosen.noted ?? '', cause: chosen.cause ?? '', leftM: chosen.leftM ?? NaN },
      bitsDiffer: model?.flight.halves.reduce((sum, { rerun }) => sum + (rerun?.bitsDiffer ?? 0), 0) ?? 0,
    };
  }
}
customElements.define('lens-page', LensPage);

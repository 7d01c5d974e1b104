/** Where the flight on the page comes from: a player's recorders, or files. */
import { getBytes, sentenceOf } from '../api/http.js';
import { hangar } from '../fly/pilot.js';
import { Armed } from '../model/armed.js';
import { Emitter } from '../model/emitter.js';
import { FlightModel } from './flight_model.js';
import { Replay } from './replay.js';

const pauseMs = 1000;
/** After a correction, until the worker has made its ticks final. */
const settledMs = 700;

export interface Halves {
  client: Uint8Array | undefined;
  worker: Uint8Array | undefined;
}

export class FlightSource extends Emitter {
  /** The player whose recorders are read; undefined: files. */
  armed: Armed | undefined;
  playerName = '';
  /** Names of the files, if it is files. */
  files: readonly string[] = [];
  halves: Halves = { client: undefined, worker: undefined };
  model: FlightModel | undefined;
  failure = '';
  /** Whether the newest seconds are fetched again and again. */
  live = false;
  replayMs = Number.NaN;
  readonly #replay = new Replay();
  #timer = 0;
  #turn = 0;
  #own = false;

  get own(): boolean {
    return this.#own;
  }

  /** Reads the recorders of a player, its own client's too. */
  follow(clientId: string, playerName: string): void {
    this.#forget();
    const pilot = hangar.pilot;
    this.#own = pilot?.clientId === clientId;
    this.armed = this.#own ? pilot!.armed : new Armed(clientId);
    this.playerName = playerName;
    if (!this.#own) this.armed.begin();
    this.#unlisten = this.armed.listen(() => this.changed());
    this.setLive(true);
  }

  /** Reads one or two files. */
  async open(files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
    this.#forget();
    this.files = files.map(({ name }) => name);
    const turn = this.#turn;
    if (files.length > 2) {
      this.failure = 'Open one recording, or the two halves of a flight.';
    } else {
      try {
        const replayed = await this.#replay.report(files.map(({ bytes }) => bytes), true);
        if (turn !== this.#turn) return;
        this.#take(replayed.flight, replayed.tookMs);
        const sides = replayed.flight.halves.map(({ side }) => side);
        // The report names the client's half first.
        if (files.length === 1) this.halves[sides[0]!] = files[0]!.bytes;
      } catch (error) {
        if (turn !== this.#turn) return;
        this.failure = sentenceOf(error);
      }
    }
    this.changed();
  }

  setLive(live: boolean): void {
    if (this.live === live || (live && !this.armed)) return;
    this.live = live;
    clearTimeout(this.#timer);
    if (live) void this.#refresh();
    else this.#timer = window.setTimeout(() => void this.#refresh(), settledMs);
    this.changed();
  }

  end(): void {
    this.#forget();
    this.#replay.end();
  }

  #unlisten: () => void = () => {};

  #forget(): void {
    ++this.#turn;
    clearTimeout(this.#timer);
    this.#unlisten();
    this.#unlisten = () => {};
    if (!this.#own) this.armed?.end();
    this.armed = this.model = undefined;
    this.#own = this.live = false;
    this.files = [];
    this.playerName = this.failure = '';
    this.halves = { client: undefined, worker: undefined };
    this.changed();
  }

  async #refresh(): Promise<void> {
    const turn = this.#turn;
    const { armed } = this;
    if (!armed) return;
    const { live } = this;
    try {
      const pilot = this.#own ? hangar.pilot : undefined;
      const worker = armed.recorder ? await getBytes(`api/recording?client=${armed.clientId}`) : undefined;
      const client = pilot?.session.client.recording();
      const halves = [client, worker].filter((half) => half !== undefined);
      if (turn !== this.#turn) return;
      if (halves.length > 0) {
        const replayed = await this.#replay.report(halves, !live);
        if (turn !== this.#turn || (live && !this.live)) return;
        this.halves = { client, worker };
        this.#take(replayed.flight, replayed.tookMs);
      }
      this.failure = '';
    } catch (error) {
      if (turn !== this.#turn) return;
      if (armed.recorder) this.failure = sentenceOf(error);
    }
    this.changed();
    if (this.live) this.#timer = window.setTimeout(() => void this.#refresh(), pauseMs);
  }

  #take(flight: ConstructorParameters<typeof FlightModel>[0], tookMs: number): void {
    this.model = new FlightModel(flight);
    this.replayMs = tookMs;
  }
}

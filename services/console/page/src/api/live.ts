import type { Cluster } from '../model/cluster.js';
import { Emitter } from '../model/emitter.js';
import type { Entities } from '../model/entities.js';
import type { Players } from '../model/players.js';
import { socketUrl } from './token.js';
import type { ClusterMap, Kind, PlayersReport, WorkerStatus } from './types.js';

const firstPauseMs = 500;
const longestPauseMs = 5000;

/** What a text of /live may have. */
interface Said {
  map?: ClusterMap;
  slot?: number;
  status?: WorkerStatus;
  kinds?: Kind[];
  gateway?: number;
  report?: PlayersReport;
  unreachable?: { why: string };
}

export type LiveState = 'connecting' | 'open' | 'lost';

/** The console's live feed. It connects again by itself. */
export class Live extends Emitter {
  state: LiveState = 'connecting';
  /** Why it is lost. */
  reason = '';
  /** When it is tried again, on performance.now(). */
  retryAtMs = 0;
  readonly #cluster: Cluster;
  readonly #entities: Entities;
  readonly #players: Players;
  #socket: WebSocket | undefined;
  readonly #watchers = { entities: 0, players: 0 };
  #pauseMs = firstPauseMs;
  #timer = 0;

  constructor(cluster: Cluster, entities: Entities, players: Players) {
    super();
    this.#cluster = cluster;
    this.#entities = entities;
    this.#players = players;
  }

  connect(): void {
    clearTimeout(this.#timer);
    if (typeof WebSocket !== 'function') {
      this.#lose('This browser has no WebSocket, by which the console sends everything that changes.', false);
      return;
    }
    this.#become('connecting');
    const socket = (this.#socket = new WebSocket(socketUrl('live')));
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.#pauseMs = firstPauseMs;
      this.#become('open');
      if (this.#wanted() !== 'nothing') this.#ask();
      void this.#cluster.greet();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#lose(reason || 'The console does not answer.', true);
    };
  }

  /** Poses of all entities from now on, until the returned function is called. */
  watchEntities(): () => void {
    return this.#watch('entities', () => this.#entities.clear());
  }

  /** Figures of all players, likewise. */
  watchPlayers(): () => void {
    return this.#watch('players', () => this.#players.clear());
  }

  #watch(what: 'entities' | 'players', forget: () => void): () => void {
    if (this.#watchers[what]++ === 0) this.#ask();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      if (--this.#watchers[what] > 0) return;
      this.#ask();
      forget();
    };
  }

  #wanted(): 'entities' | 'players' | 'all' | 'nothing' {
    const { entities, players } = this.#watchers;
    if (entities > 0) return players > 0 ? 'all' : 'entities';
    return players > 0 ? 'players' : 'nothing';
  }

  #ask(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ watch: this.#wanted() }));
  }

  #receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      this.#entities.apply(data, performance.now());
      return;
    }
    const said = JSON.parse(String(data)) as Said;
    const cluster = this.#cluster;
    if (said.map) cluster.setMap(said.map);
    if (said.status && said.slot !== undefined) cluster.setStatus(said.slot, said.status);
    if (said.unreachable) cluster.setUnreachable(said.unreachable.why);
    if (said.kinds) (cluster.kinds = said.kinds), cluster.changed();
    if (said.report) this.#players.take(said.gateway ?? 0, said.report, performance.now());
  }

  #lose(reason: string, again: boolean): void {
    this.reason = reason;
    this.#entities.clear();
    if (again) {
      this.retryAtMs = performance.now() + this.#pauseMs;
      this.#timer = window.setTimeout(() => this.connect(), this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    }
    this.#become('lost');
  }

  #become(state: LiveState): void {
    this.state = state;
    this.changed();
  }
}

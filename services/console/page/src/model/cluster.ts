import { ApiError, getJson, sentenceOf } from '../api/http.js';
import { howToAct } from '../api/token.js';
import type {
  ClusterMap, Hello, Kind, Region, Vector, Worker, WorkerStatus,
} from '../api/types.js';
import { Emitter } from './emitter.js';

/** A worker whose ownership of a region has just begun. */
export interface Change {
  atMs: number;
  region: number;
  from: number | undefined;
  to: number | undefined;
}

const changesMax = 64;

/** What the console last said about the cluster. */
export class Cluster extends Emitter {
  map: ClusterMap | undefined;
  /** When the map arrived, on performance.now(). */
  mapAtMs = 0;
  /** Why there is no newer map. */
  unreachable = '';
  kinds: readonly Kind[] = [];
  readonly statuses = new Map<number, WorkerStatus>();
  /** Changes of owners that this page saw, the newest first. */
  readonly changes: Change[] = [];
  hello: Hello | undefined;
  /** Why the console does not say who this page is. */
  refused = '';

  get mayAct(): boolean {
    return this.hello?.mayAct ?? false;
  }

  /** Why the operator of this page may not do this act, as a sentence; empty: it is allowed. The console refuses it then, too. */
  whyNot(act: string): string {
    const { hello } = this;
    if (!hello || hello.operator === '') return `To act, ${howToAct}.`;
    const needs = hello.acts[act];
    if (needs === undefined) return `This console has no act ${act}: it is of another version than the page. Load the page again.`;
    const has = hello.scopes === 'all' || needs === 'read' || hello.scopes.split(',').includes(needs);
    return has ? '' : `This needs the scope ${needs}; ${hello.operator} has the scope ${hello.scopes}.`;
  }

  /** Asks the console what this page may do. */
  async greet(): Promise<void> {
    try {
      this.hello = await getJson<Hello>('api/hello');
      this.refused = '';
    } catch (error) {
      this.refused = error instanceof ApiError && error.httpStatus === 0 ? '' : sentenceOf(error);
    }
    this.changed();
  }

  setMap(map: ClusterMap): void {
    this.#noteChanges(map);
    this.map = map;
    this.mapAtMs = performance.now();
    this.unreachable = '';
    for (const slot of this.statuses.keys()) {
      if (!map.workers.some((worker) => worker.slot === slot && worker.alive)) this.statuses.delete(slot);
    }
    this.changed();
  }

  setUnreachable(why: string): void {
    this.unreachable = why;
    this.changed();
  }

  setStatus(slot: number, status: WorkerStatus): void {
    this.statuses.set(slot, status);
    this.changed();
  }

  worker(slot: number | undefined): Worker | undefined {
    return this.map?.workers.find((worker) => worker.slot === slot);
  }

  workerName(slot: number | undefined): string {
    return slot === undefined ? 'nobody' : (this.worker(slot)?.name ?? `slot ${slot}`);
  }

  region(id: number): Region | undefined {
    return this.map?.regions.find(({ region }) => region === id);
  }

  regionAt({ x, y, z }: Vector): Region | undefined {
    return this.map?.regions.find(
      ({ low, high }) =>
        x >= low.x && x < high.x && y >= low.y && y < high.y && z >= low.z && z < high.z,
    );
  }

  /** Of world time: 1 is real time. */
  get rate(): number {
    return (this.map?.time.at(-1)?.ratePpm ?? 1e6) / 1e6;
  }

  #noteChanges(map: ClusterMap): void {
    if (!this.map || this.map.clusterId !== map.clusterId) return;
    for (const { region, owner } of map.regions) {
      const before = this.region(region);
      if (!before || before.owner === owner) continue;
      this.changes.unshift({ atMs: Date.now(), region, from: before.owner, to: owner });
    }
    this.changes.length = Math.min(this.changes.length, changesMax);
  }
}

/** Asks the page's replay worker. */
import type { Flight } from '@perigee/client';

export interface ReplayRequest {
  id: number;
  /** One recording, or the two sides'. */
  halves: Uint8Array[];
  reruns: boolean;
}

export interface ReplayAnswer {
  id: number;
  flight?: Flight;
  failure?: string;
  tookMs?: number;
}

export interface Replayed {
  flight: Flight;
  tookMs: number;
}

type Waiting = { resolve: (replayed: Replayed) => void; reject: (why: Error) => void };

export class Replay {
  readonly #worker = new Worker(new URL('./replay_worker.ts', import.meta.url), { type: 'module', name: 'replay' });
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<ReplayAnswer>) => this.#take(data);
    this.#worker.onerror = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The replay could not be loaded: load the page again.'));
      this.#waiting.clear();
    };
  }

  /** Rejects with the reader's sentence. */
  report(halves: Uint8Array[], reruns: boolean): Promise<Replayed> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, halves, reruns } satisfies ReplayRequest);
    });
  }

  end(): void {
    this.#worker.terminate();
  }

  #take({ id, flight, failure, tookMs }: ReplayAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (flight) waiting?.resolve({ flight, tookMs: tookMs ?? 0 });
    else waiting?.reject(new Error(failure));
  }
}

import type { PlayerFigures } from '../api/types.js';
import type { Cluster } from './cluster.js';

const samplesMax = 60;
const forgottenAfter = 30; // messages without the player

/** Round trips of each player over the last messages, for sparklines. */
export class PlayerHistory {
  readonly #cluster: Cluster;
  readonly #rtts = new Map<string, { values: number[]; missed: number }>();
  #newest: readonly PlayerFigures[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    cluster.listen(() => this.#take());
  }

  rttsOf(clientId: string): readonly number[] {
    return this.#rtts.get(clientId)?.values ?? [];
  }

  #take(): void {
    if (this.#cluster.players === this.#newest) return;
    this.#newest = this.#cluster.players;
    for (const each of this.#rtts.values()) ++each.missed;
    for (const { clientId, rttMs } of this.#newest) {
      const former = this.#rtts.get(clientId)?.values ?? [];
      this.#rtts.set(clientId, { values: [...former, rttMs].slice(-samplesMax), missed: 0 });
    }
    for (const [clientId, { missed }] of this.#rtts) if (missed > forgottenAfter) this.#rtts.delete(clientId);
  }
}

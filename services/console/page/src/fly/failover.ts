/** The death of the worker below the player's feet: who has the player, and how long nobody had. */

export interface Gap {
  worker: string;
  successor: string;
  /** The longest time without an acknowledged input since the kill. */
  ms: number;
  healed: boolean;
}

/** As long as this without a longer pause: play goes on. */
const calmMs = 2500;
const patienceMs = 30_000;

export class FailoverWatch {
  gap: Gap | undefined;
  #killedMs = 0;
  #acknowledgedMs = 0;
  #fullLoopMs = -1;
  #pausedUntilMs = 0;

  onKilled(nowMs: number, worker: string, successor: string): void {
    this.gap = { worker, successor, ms: 0, healed: false };
    this.#killedMs = nowMs;
    this.#pausedUntilMs = nowMs;
  }

  /**
   * Once a frame. `fullLoopMs` of the telemetry is another number with each acknowledgement of an
   * input by the worker that has the avatar.
   */
  onFrame(nowMs: number, fullLoopMs: number): void {
    const acknowledged = fullLoopMs !== this.#fullLoopMs;
    this.#fullLoopMs = fullLoopMs;
    const { gap } = this;
    if (gap && !gap.healed) {
      const pauseMs = nowMs - this.#acknowledgedMs;
      if (pauseMs > gap.ms) {
        gap.ms = pauseMs;
        this.#pausedUntilMs = nowMs;
      }
      const calm = acknowledged && nowMs - this.#pausedUntilMs > calmMs && nowMs - this.#killedMs > calmMs;
      if (calm || nowMs - this.#killedMs > patienceMs) gap.healed = true;
    }
    if (acknowledged) this.#acknowledgedMs = nowMs;
  }
}

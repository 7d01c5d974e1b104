/** From a key to the eye: how long until the picture shows the effect of a move key. */

/** Less is noise of the last digits; walking begins with 40 m/s^2, so a frame shows 5 mm. */
const visibleM = 0.003;
const patienceMs = 3000;
/** Keys sooner after another one than this and the full loop are not measured: both have effects. */
const quietMs = 350;
const samplesMax = 15;
const steadyFrames = 3;

interface Place {
  atMs: number;
  x: number;
  y: number;
  z: number;
}
/** A place, and the velocity there in metres per millisecond. */
interface Motion extends Place {
  vx: number;
  vy: number;
  vz: number;
}

export class Reaction {
  lastMs = Number.NaN;
  count = 0;
  readonly #samples: number[] = [];
  #waitingSinceMs: number | undefined;
  /** Local positions of the last frames, the newest first, and when they were drawn. */
  readonly #frames: Place[] = [];
  #start: Motion | undefined;
  #parent = 0;
  #keyMs = 0;

  get medianMs(): number {
    if (this.#samples.length === 0) return Number.NaN;
    const sorted = this.#samples.toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1]!;
  }

  /** A move key went down or up. `fullLoopMs`: of the telemetry. */
  onKey(atMs: number, fullLoopMs: number): void {
    const quiet = atMs - this.#keyMs > quietMs + 1.3 * fullLoopMs;
    this.#keyMs = atMs;
    this.#waitingSinceMs = quiet ? atMs : undefined;
    if (!quiet) return;
    const [now, before] = [this.#frames[0], this.#frames[steadyFrames - 1]];
    this.#start = undefined;
    if (!now || !before) return;
    const spanMs = Math.max(now.atMs - before.atMs, 1);
    this.#start = {
      ...now,
      vx: (now.x - before.x) / spanMs, vy: (now.y - before.y) / spanMs, vz: (now.z - before.z) / spanMs,
    };
  }

  /** A frame shows the avatar here, in its parent's frame, and is on the screen at `atMs`. */
  onFrame(atMs: number, parent: number, local: ArrayLike<number>): void {
    const here: Place = { atMs, x: local[0]!, y: local[1]!, z: local[2]! };
    if (parent !== this.#parent) {
      this.#parent = parent;
      this.#frames.length = 0;
      this.#start = undefined;
    }
    this.#frames.unshift(here);
    this.#frames.length = Math.min(this.#frames.length, steadyFrames);
    if (this.#waitingSinceMs === undefined) return;
    if (atMs - this.#waitingSinceMs > patienceMs) this.#waitingSinceMs = undefined;
    else if (this.#start && this.#differs(here, this.#start)) this.#take(atMs - this.#waitingSinceMs);
  }

  /** Techniques or the path are others now: earlier samples do not count. */
  restart(): void {
    this.#samples.length = 0;
    this.#waitingSinceMs = undefined;
    this.lastMs = Number.NaN;
  }

  /** Whether the avatar is elsewhere than it would be without the key. */
  #differs(here: Place, start: Motion): boolean {
    const passedMs = here.atMs - start.atMs;
    return Math.hypot(
      here.x - start.x - start.vx * passedMs, (here.y - start.y - start.vy * passedMs) * 0.2,
      here.z - start.z - start.vz * passedMs,
    ) > visibleM;
  }

  #take(tookMs: number): void {
    this.#waitingSinceMs = undefined;
    this.lastMs = tookMs;
    ++this.count;
    this.#samples.push(tookMs);
    if (this.#samples.length > samplesMax) this.#samples.shift();
  }
}

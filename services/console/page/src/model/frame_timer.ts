/** Times of the last frames on the main thread. */
const framesMax = 300;

export class FrameTimer {
  readonly #times = new Float64Array(framesMax);
  readonly #sorted = new Float64Array(framesMax);
  #count = 0;
  #next = 0;

  add(ms: number): void {
    this.#times[this.#next] = ms;
    this.#next = (this.#next + 1) % framesMax;
    this.#count = Math.min(this.#count + 1, framesMax);
  }

  /** 0 to 1; NaN before the first frame. */
  quantile(share: number): number {
    if (this.#count === 0) return Number.NaN;
    const sorted = this.#sorted.subarray(0, this.#count);
    sorted.set(this.#times.subarray(0, this.#count));
    sorted.sort();
    return sorted[Math.min(this.#count - 1, Math.floor(share * this.#count))]!;
  }

  mean(): number {
    let sum = 0;
    for (let i = 0; i < this.#count; ++i) sum += this.#times[i]!;
    return this.#count === 0 ? Number.NaN : sum / this.#count;
  }
}

/** The steps of characters, from how they move in their parents' frames. */
const strideM = 1.5;
const swingMax = 0.75;
const forgottenAfterMs = 3000;

interface Walker {
  x: number;
  y: number;
  z: number;
  parent: number;
  atMs: number;
  phaseRad: number;
  swingRad: number;
}

export class Walkers {
  readonly #walkers = new Map<number, Walker>();
  #sweptMs = 0;

  /** Phase and swing of the limbs now; the same object each time. */
  step(handle: number, parent: number, local: ArrayLike<number>, nowMs: number): Walker {
    const [x, y, z] = [local[0]!, local[1]!, local[2]!];
    let walker = this.#walkers.get(handle);
    if (!walker) {
      walker = { x, y, z, parent, atMs: nowMs, phaseRad: (handle * 1.7) % 6.28, swingRad: 0 };
      this.#walkers.set(handle, walker);
    }
    const seconds = (nowMs - walker.atMs) / 1000;
    if (seconds <= 0) return walker;
    const movedM = walker.parent === parent ? Math.sqrt((x - walker.x) ** 2 + (z - walker.z) ** 2) : 0;
    const speed = Math.min(movedM / seconds, 12);
    const floats = Math.abs(y - walker.y) / seconds > 1.2;
    const wanted = floats ? 0.12 : Math.min(swingMax, speed * 0.14);
    walker.swingRad += (wanted - walker.swingRad) * Math.min(1, seconds * 10);
    walker.phaseRad += floats ? 0 : (Math.min(movedM, 1) / strideM) * Math.PI * 2 * 0.7;
    walker.x = x;
    walker.y = y;
    walker.z = z;
    walker.parent = parent;
    walker.atMs = nowMs;
    return walker;
  }

  /** Forgets those that are gone. */
  sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < forgottenAfterMs) return;
    this.#sweptMs = nowMs;
    for (const [handle, { atMs }] of this.#walkers) {
      if (nowMs - atMs > forgottenAfterMs) this.#walkers.delete(handle);
    }
  }
}

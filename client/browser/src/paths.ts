import type { Address } from './address.js';
import type { OpenPath, Path } from './path.js';

const pathsMax = 4;
const reopenAfterMs = 1000;
/** A relay that has died without a word: shorter than the silence that ends a session. */
const silenceMsMax = 3000;

interface Slot {
  path: Path | undefined; // none: it was closed
  usedMs: number;
  heardMs: number; // or opened
}

/**
 * The paths of a session, one for each gateway to which the client sends. A client that searches
 * for another gateway tries one after the other, so the one that was not used for longest is closed
 * first. A path on which nothing comes back is opened again.
 */
export class Paths {
  /** Why the last path was closed; empty if none was. */
  problem = '';
  readonly #slots = new Map<string, Slot>();
  #nowMs = 0; // of the newest send()

  constructor(
    readonly open: OpenPath,
    readonly receive: (from: Address, datagram: Uint8Array) => void,
  ) {}

  send(nowMs: number, to: Address, bytes: Uint8Array<ArrayBuffer>): void {
    this.#nowMs = nowMs;
    let slot = this.#slots.get(to.text);
    // Where nothing was sent, such as by a page that slept, no answer is due.
    if (slot && nowMs - slot.usedMs >= reopenAfterMs) slot.heardMs = nowMs;
    if (slot?.path && nowMs - slot.heardMs >= silenceMsMax) {
      slot.path.close();
      slot = undefined;
    }
    if (!slot || (!slot.path && nowMs - slot.usedMs >= reopenAfterMs)) {
      slot = this.#opened(nowMs, to);
    }
    if (!slot.path) return;
    slot.usedMs = nowMs;
    slot.path.send(bytes);
  }

  close(): void {
    for (const { path } of this.#slots.values()) path?.close();
    this.#slots.clear();
  }

  #opened(nowMs: number, to: Address): Slot {
    if (!this.#slots.has(to.text) && this.#slots.size >= pathsMax) this.#closeOldest();
    const path = this.open(to);
    const slot: Slot = { path, usedMs: nowMs, heardMs: nowMs };
    path.onDatagram = (bytes) => {
      slot.heardMs = this.#nowMs;
      this.receive(to, bytes);
    };
    path.onClose = (reason) => {
      slot.path = undefined;
      this.problem = reason;
    };
    this.#slots.set(to.text, slot);
    return slot;
  }

  #closeOldest(): void {
    let oldest: [string, Slot] | undefined;
    for (const entry of this.#slots) {
      if (!oldest || entry[1].usedMs < oldest[1].usedMs) oldest = entry;
    }
    oldest![1].path?.close();
    this.#slots.delete(oldest![0]);
  }
}

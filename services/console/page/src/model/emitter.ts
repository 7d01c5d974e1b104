import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Something that changes, and tells those who listen. */
export class Emitter {
  readonly #listeners = new Set<() => void>();

  /** Returns how to end it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Renders an element again whenever one of these changes. */
export class RendersOn implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #emitters: readonly Emitter[];
  #ends: (() => void)[] = [];

  constructor(host: ReactiveControllerHost, ...emitters: Emitter[]) {
    this.#host = host;
    this.#emitters = emitters;
    host.addController(this);
  }

  hostConnected(): void {
    this.#ends = this.#emitters.map((each) => each.listen(() => this.#host.requestUpdate()));
  }
  hostDisconnected(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

import type { Address } from './address.js';
import { PerigeeError, sentenceOf } from './errors.js';
import { relayUrl, type Path } from './path.js';

const lingerMs = 100;

export interface WebTransportPathOptions {
  /** Of a certificate that no authority has signed, valid for two weeks at most. */
  serverCertificateHashes?: WebTransportHash[];
}

/** Datagrams of a WebTransport session with a relay. */
export class WebTransportPath implements Path {
  onDatagram: (bytes: Uint8Array) => void = () => {};
  onClose: (reason: string) => void = () => {};
  /** Datagrams that were not sent: before the connection, or while too many were waiting. */
  dropped = 0;
  /** Datagrams that are longer than the connection carries; browsers drop them silently. */
  droppedTooLong = 0;

  readonly #transport: WebTransport;
  #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | undefined;

  /** `relay`: such as https://HOST/relay. */
  constructor(relay: string | URL, gateway: Address, options: WebTransportPathOptions = {}) {
    if (typeof WebTransport !== 'function') {
      throw new PerigeeError(
        'no-webtransport', 'this browser has no WebTransport; reach the server by WebSocket',
      );
    }
    const url = relayUrl(relay, gateway, { 'http:': 'https:' });
    this.#transport = new WebTransport(url.href, { ...options, congestionControl: 'low-latency' });
    const close = (why: string) => this.onClose(`the relay ${url.origin}${url.pathname} ${why}`);
    this.#transport.closed.then(
      ({ reason }) => close(`closed the connection (${reason || 'no reason given'})`),
      (error) => close(`was lost, or cannot be reached (${sentenceOf(error)})`),
    );
    this.#run().catch(() => {}); // `closed` says why
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#writer || (this.#writer.desiredSize ?? 0) <= 0) {
      ++this.dropped;
    } else if (bytes.length > this.#transport.datagrams.maxDatagramSize) {
      ++this.droppedTooLong;
    } else {
      this.#writer.write(bytes).catch(() => {}); // `closed` says why
    }
  }

  close(): void {
    this.onDatagram = this.onClose = () => {};
    // A transport that closes drops the datagrams that wait, and the goodbye is among them. The
    // browser does not tell when they are gone.
    setTimeout(() => this.#transport.close(), lingerMs);
  }

  async #run(): Promise<void> {
    await this.#transport.ready;
    this.#writer = this.#transport.datagrams.writable.getWriter();
    const reader = this.#transport.datagrams.readable.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.onDatagram(value);
    }
  }
}

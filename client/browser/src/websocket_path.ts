import type { Address } from './address.js';
import { PerigeeError } from './errors.js';
import { relayUrl, type Path } from './path.js';

const queuedMax = 8; // datagrams that wait for the connection
const bufferedBytesMax = 65536; // in the browser, beyond what the network takes

/** Datagrams as binary messages of a WebSocket to a relay, one in each. */
export class WebSocketPath implements Path {
  onDatagram: (bytes: Uint8Array) => void = () => {};
  onClose: (reason: string) => void = () => {};
  /** Datagrams that were not sent because too many were waiting. */
  dropped = 0;

  readonly #socket: WebSocket;
  readonly #queued: Uint8Array<ArrayBuffer>[] = [];

  /** `relay`: such as ws://HOST/relay, or a path below the page. */
  constructor(relay: string | URL, gateway: Address) {
    if (typeof WebSocket !== 'function') {
      throw new PerigeeError(
        'no-websocket', 'this browser has no WebSocket, with which the game reaches its server',
      );
    }
    const url = relayUrl(relay, gateway, { 'http:': 'ws:', 'https:': 'wss:' });
    this.#socket = new WebSocket(url);
    this.#socket.binaryType = 'arraybuffer';
    let opened = false;
    this.#socket.onopen = () => {
      opened = true;
      for (const bytes of this.#queued.splice(0)) this.#socket.send(bytes);
    };
    this.#socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.onDatagram(new Uint8Array(data));
    };
    this.#socket.onclose = ({ code, reason }) => {
      const what = opened ? 'closed the connection' : 'cannot be reached';
      this.onClose(`the relay ${url.origin}${url.pathname} ${what} (${reason || code})`);
    };
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#socket.readyState === WebSocket.CONNECTING) {
      this.#queued.push(bytes);
      if (this.#queued.length > queuedMax) this.#queued.shift(), ++this.dropped;
    } else if (this.#socket.readyState !== WebSocket.OPEN || this.#socket.bufferedAmount > bufferedBytesMax) {
      ++this.dropped;
    } else {
      this.#socket.send(bytes);
    }
  }

  close(): void {
    this.onDatagram = this.onClose = () => {};
    this.#socket.close();
  }
}

import { PerigeeError, sentenceOf } from './errors.js';
import { relayUrl } from './path.js';
const lingerMs = 100;
/** Datagrams of a WebTransport session with a relay. */
export class WebTransportPath {
    onDatagram = () => { };
    onClose = () => { };
    /** Datagrams that were not sent: before the connection, or while too many were waiting. */
    dropped = 0;
    /** Datagrams that are longer than the connection carries; browsers drop them silently. */
    droppedTooLong = 0;
    #transport;
    #writer;
    /** `relay`: such as https://HOST/relay. */
    constructor(relay, gateway, options = {}) {
        if (typeof WebTransport !== 'function') {
            throw new PerigeeError('no-webtransport', 'this browser has no WebTransport; reach the server by WebSocket');
        }
        const url = relayUrl(relay, gateway, { 'http:': 'https:' });
        this.#transport = new WebTransport(url.href, { ...options, congestionControl: 'low-latency' });
        const close = (why) => this.onClose(`the relay ${url.origin}${url.pathname} ${why}`);
        this.#transport.closed.then(({ reason }) => close(`closed the connection (${reason || 'no reason given'})`), (error) => close(`was lost, or cannot be reached (${sentenceOf(error)})`));
        this.#run().catch(() => { }); // `closed` says why
    }
    send(bytes) {
        if (!this.#writer || (this.#writer.desiredSize ?? 0) <= 0) {
            ++this.dropped;
        }
        else if (bytes.length > this.#transport.datagrams.maxDatagramSize) {
            ++this.droppedTooLong;
        }
        else {
            this.#writer.write(bytes).catch(() => { }); // `closed` says why
        }
    }
    close() {
        this.onDatagram = this.onClose = () => { };
        // A transport that closes drops the datagrams that wait, and the goodbye is among them. The
        // browser does not tell when they are gone.
        setTimeout(() => this.#transport.close(), lingerMs);
    }
    async #run() {
        await this.#transport.ready;
        this.#writer = this.#transport.datagrams.writable.getWriter();
        const reader = this.#transport.datagrams.readable.getReader();
        for (;;) {
            const { value, done } = await reader.read();
            if (done)
                return;
            this.onDatagram(value);
        }
    }
}

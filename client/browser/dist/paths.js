const pathsMax = 4;
const reopenAfterMs = 1000;
/** A relay that has died without a word: shorter than the silence that ends a session. */
const silenceMsMax = 3000;
/**
 * The paths of a session, one for each gateway to which the client sends. A client that searches
 * for another gateway tries one after the other, so the one that was not used for longest is closed
 * first. A path on which nothing comes back is opened again.
 */
export class Paths {
    open;
    receive;
    /** Why the last path was closed; empty if none was. */
    problem = '';
    #slots = new Map();
    #nowMs = 0; // of the newest send()
    constructor(open, receive) {
        this.open = open;
        this.receive = receive;
    }
    send(nowMs, to, bytes) {
        this.#nowMs = nowMs;
        let slot = this.#slots.get(to.text);
        // Where nothing was sent, such as by a page that slept, no answer is due.
        if (slot && nowMs - slot.usedMs >= reopenAfterMs)
            slot.heardMs = nowMs;
        if (slot?.path && nowMs - slot.heardMs >= silenceMsMax) {
            slot.path.close();
            slot = undefined;
        }
        if (!slot || (!slot.path && nowMs - slot.usedMs >= reopenAfterMs)) {
            slot = this.#opened(nowMs, to);
        }
        if (!slot.path)
            return;
        slot.usedMs = nowMs;
        slot.path.send(bytes);
    }
    close() {
        for (const { path } of this.#slots.values())
            path?.close();
        this.#slots.clear();
    }
    #opened(nowMs, to) {
        if (!this.#slots.has(to.text) && this.#slots.size >= pathsMax)
            this.#closeOldest();
        const path = this.open(to);
        const slot = { path, usedMs: nowMs, heardMs: nowMs };
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
    #closeOldest() {
        let oldest;
        for (const entry of this.#slots) {
            if (!oldest || entry[1].usedMs < oldest[1].usedMs)
                oldest = entry;
        }
        oldest[1].path?.close();
        this.#slots.delete(oldest[0]);
    }
}

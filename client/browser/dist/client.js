import { Address } from './address.js';
import { PerigeeError } from './errors.js';
import { inputFieldsMax, readInputField, writeInput } from './input.js';
import * as layout from './layout.js';
import { NetGraph, samplesMax } from './net_graph.js';
import { Scene } from './scene.js';
import { stateOf } from './state.js';
import { noTelemetry, noTime, readCue, readGround, readHeardCue, readTelemetry, readTime, } from './values.js';
const cuesMax = 256;
const sizeBytes = 4; // of a size_t
const recordingBytes = 2 << 20; // ample for 40 s
const reportBytes = 1 << 20;
const sideBytes = 4; // of an int32_t
const noCues = [];
const alignment = 8;
const aligned = (bytes) => Math.ceil(bytes / alignment) * alignment;
/** Arguments and results of calls, in one block of the module's memory. */
const scratch = (() => {
    let bytes = 0;
    const room = (wanted) => (bytes += aligned(wanted)) - aligned(wanted);
    return {
        address: room(layout.address.bytes),
        datagram: room(layout.datagramBytesMax),
        datagramBytes: room(sizeBytes),
        input: room(layout.input.bytes),
        message: room(layout.messageBytesMax),
        ground: room(layout.ground.bytes),
        low: room(3 * sideBytes),
        size: room(3 * sideBytes),
        time: room(layout.time.bytes),
        telemetry: room(layout.telemetry.bytes),
        cues: room(cuesMax * layout.cue.bytes),
        heard: room(cuesMax * layout.heardCue.bytes),
        netSamples: room(samplesMax * layout.netSample.bytes),
        bytes,
    };
})();
/**
 * One player's client library. The caller owns connection and clock. Each frame: receive() every
 * datagram that arrived, advance(), pollSend() until it returns nothing, then render scene().
 * Times are milliseconds of any clock that only rises, such as performance.now(). Session does all
 * of this.
 */
export class Client {
    #library;
    #scratch;
    #scene;
    #time = noTime();
    #telemetry = noTelemetry();
    #netGraph = new NetGraph();
    #typeNames = [];
    #handle;
    #to;
    constructor(library) {
        this.#library = library;
        this.#handle = library.call.create(layout.abi);
        if (this.#handle === 0)
            throw new PerigeeError('out-of-memory', 'the page has no memory left for a client');
        this.#scratch = library.allocate(scratch.bytes);
        this.#scene = new Scene(library);
    }
    /** Frees its memory. It does not disconnect: first disconnect(), and send all of pollSend(). */
    destroy() {
        if (this.#handle === 0)
            return;
        this.#scene.release();
        this.#library.release(this.#scratch);
        this.#library.call.destroy(this.#handle);
        this.#handle = 0;
    }
    /** Values for a log-in, besides name and credential. */
    get wireVersion() {
        return this.#library.call.wire_version();
    }
    get schemaHash() {
        return BigInt.asUintN(64, this.#library.call.schema_hash(this.#alive()));
    }
    /** Connects with a token from the session service. */
    begin(nowMs, token) {
        const address = this.#library.allocate(token.length);
        this.#library.bytes.set(token, address);
        const result = this.#library.call.begin(this.#alive(), microseconds(nowMs), address, token.length);
        this.#library.release(address);
        if (result === layout.results.badToken) {
            throw new PerigeeError('bad-token', `these ${token.length} bytes are no connect token; log in again`);
        }
        this.#check(result, 'begin');
    }
    /** Handles one datagram. One of another sender, or longer than any of ours, is dropped. */
    receive(nowMs, from, datagram) {
        if (datagram.length > layout.datagramBytesMax)
            return;
        const bytes = this.#library.bytes;
        bytes.set(from.encoded, this.#scratch + scratch.address);
        bytes.set(datagram, this.#scratch + scratch.datagram);
        const result = this.#library.call.receive(this.#alive(), microseconds(nowMs), this.#scratch + scratch.address, this.#scratch + scratch.datagram, datagram.length);
        this.#check(result, 'receive');
    }
    /** Runs the due ticks with this input. If none is due, presses are kept for the next tick. */
    advance(nowMs, input) {
        const at = this.#scratch + scratch.input;
        writeInput(this.#library.view, at, input);
        this.#check(this.#library.call.advance(this.#alive(), microseconds(nowMs), at), 'advance');
    }
    /** The fields that the game adds to inputs. */
    inputFields() {
        const each = layout.inputField.bytes;
        const at = this.#library.allocate(inputFieldsMax * each);
        try {
            const count = this.#check(this.#library.call.input_fields(this.#alive(), at, each, inputFieldsMax), 'inputFields');
            return Array.from({ length: count }, (_, i) => readInputField(this.#library.view, at + i * each, this.#library.textAt(at + i * each)));
        }
        finally {
            this.#library.release(at);
        }
    }
    /** Sets one of them, from the next tick on; a momentary one in that tick alone. */
    setInput(name, value) {
        const result = Number.isSafeInteger(value)
            ? this.#withText(name, (at) => this.#library.call.set_input(this.#alive(), at, BigInt(value)))
            : layout.results.badArgument;
        if (result === layout.results.badArgument) {
            throw new PerigeeError('bad-argument', `the game has no input field ${name}, or ${value} is out of its range`);
        }
        this.#check(result, 'setInput');
    }
    /** Sets all of them: the bytes of the game's struct, little-endian. */
    setOwnInput(fields) {
        const at = this.#library.allocate(Math.max(fields.length, 1));
        this.#library.bytes.set(fields, at);
        const result = this.#library.call.set_own_input(this.#alive(), at, fields.length);
        this.#library.release(at);
        this.#check(result, 'setOwnInput');
    }
    /** The next datagram to send. */
    pollSend() {
        const to = this.#scratch + scratch.address;
        const datagram = this.#scratch + scratch.datagram;
        const size = this.#scratch + scratch.datagramBytes;
        const result = this.#library.call.poll_send(this.#alive(), to, datagram, layout.datagramBytesMax, size);
        if (this.#check(result, 'pollSend') === 0)
            return undefined;
        const bytes = this.#library.bytes;
        if (!this.#to?.isAt(bytes, to))
            this.#to = Address.read(bytes, to);
        const length = this.#library.view.getUint32(size, true);
        return { to: this.#to, bytes: bytes.slice(datagram, datagram + length) };
    }
    /** Disconnects; pollSend() has the packets for it. */
    disconnect(nowMs) {
        this.#check(this.#library.call.disconnect(this.#alive(), microseconds(nowMs)), 'disconnect');
    }
    get state() {
        return stateOf(this.#library.call.get_state(this.#alive()));
    }
    /** All known entities as rendered now; the same object each time. */
    scene(nowMs) {
        const [handle, nowUs] = [this.#alive(), microseconds(nowMs)];
        return this.#scene.update((address, each, capacity) => this.#check(this.#library.call.scene(handle, nowUs, address, each, capacity), 'scene'));
    }
    /** The game's name for an entity's type. */
    typeName(type) {
        if (!(type in this.#typeNames)) {
            const address = this.#library.call.type_name(this.#alive(), type);
            if (address === 0)
                return undefined;
            this.#typeNames[type] = this.#library.textAt(address);
        }
        return this.#typeNames[type];
    }
    /** Cues of the last advance(): read them after each. */
    cues() {
        const at = this.#scratch + scratch.cues;
        const count = this.#check(this.#library.call.cues(this.#alive(), at, layout.cue.bytes, cuesMax), 'cues');
        if (count === 0)
            return noCues;
        const view = this.#library.view;
        return Array.from({ length: Math.min(count, cuesMax) }, (_, i) => readCue(view, at + i * layout.cue.bytes));
    }
    /** Cues of others to play now: read them after each advance(). */
    heard() {
        const at = this.#scratch + scratch.heard;
        const count = this.#check(this.#library.call.heard(this.#alive(), at, layout.heardCue.bytes, cuesMax), 'heard');
        if (count === 0)
            return noCues;
        const view = this.#library.view;
        return Array.from({ length: Math.min(count, cuesMax) }, (_, i) => readHeardCue(view, at + i * layout.heardCue.bytes));
    }
    /**
     * The game's state of an entity of that type: the struct of the game, little-endian. Of the own avatar as
     * predicted, of others the public fields. undefined: it is not known, or the type has none.
     */
    gameState(handle, type) {
        const { call } = this.#library;
        return this.#state(call.type_state_bytes(this.#alive(), type), 'gameState', (at, bytes) => call.game_state(this.#alive(), handle, at, bytes));
    }
    /** The world's state, the same for all clients; undefined: the game has none, or it is not known yet. */
    worldState() {
        const { call } = this.#library;
        return this.#state(call.world_state_bytes(this.#alive()), 'worldState', (at, bytes) => call.world_state(this.#alive(), at, bytes));
    }
    #state(bytes, what, copy) {
        if (bytes === 0)
            return undefined;
        const at = this.#library.allocate(bytes);
        try {
            if (this.#check(copy(at, bytes), what) === 0)
                return undefined;
            return new DataView(this.#library.bytes.slice(at, at + bytes).buffer);
        }
        finally {
            this.#library.release(at);
        }
    }
    /** The name of an actor's player; empty if it is not known. */
    playerName(handle) {
        const capacity = 33;
        const at = this.#library.allocate(capacity);
        try {
            const bytes = this.#check(this.#library.call.player_name(this.#alive(), handle, at, capacity), 'playerName');
            return bytes === 0 ? '' : this.#library.textAt(at);
        }
        finally {
            this.#library.release(at);
        }
    }
    /**
     * Sends 1 to 1024 bytes to the game on the server, which gets each message once, in order. false: 32 messages
     * are on their way; try again later.
     */
    sendMessage(message) {
        const handle = this.#alive();
        if (message.length > layout.messageBytesMax) {
            throw new PerigeeError('bad-argument', `a message of ${message.length} bytes is longer than ${layout.messageBytesMax}: send it in parts`);
        }
        const at = this.#scratch + scratch.message;
        this.#library.bytes.set(message, at);
        const result = this.#library.call.send_message(handle, at, message.length);
        if (result === layout.results.tooMany)
            return false;
        this.#check(result, 'sendMessage');
        return true;
    }
    /** The messages of the game since the last call, in order. Call it after each advance(). */
    takeMessages() {
        const at = this.#scratch + scratch.message;
        const size = this.#scratch + scratch.datagramBytes;
        const taken = [];
        for (;;) {
            const result = this.#library.call.messages(this.#alive(), at, layout.messageBytesMax, size);
            if (this.#check(result, 'takeMessages') === 0)
                return taken;
            taken.push(this.#library.bytes.slice(at, at + this.#library.view.getUint32(size, true)));
        }
    }
    /** Of an entity that is ground made of cells; undefined for others. */
    ground(handle) {
        const at = this.#scratch + scratch.ground;
        this.#library.view.setUint32(at + layout.ground.structBytes, layout.ground.bytes, true);
        const result = this.#library.call.get_ground(this.#alive(), handle, at);
        return result < 0 ? undefined : readGround(this.#library.view, at);
    }
    /** 1 for each solid cell of a box, else 0, as predicted: x first, then z, then y. */
    cells(handle, low, size) {
        const count = size[0] * size[1] * size[2];
        const solid = this.#library.allocate(Math.max(count, 1));
        const view = this.#library.view;
        for (let axis = 0; axis < 3; ++axis) {
            view.setInt32(this.#scratch + scratch.low + sideBytes * axis, low[axis], true);
            view.setInt32(this.#scratch + scratch.size + sideBytes * axis, size[axis], true);
        }
        const result = this.#library.call.cells(this.#alive(), handle, this.#scratch + scratch.low, this.#scratch + scratch.size, solid, count);
        const cells = this.#library.bytes.slice(solid, solid + count);
        this.#library.release(solid);
        if (result < 0) {
            throw new PerigeeError('bad-argument', `entity ${handle} is no ground made of cells, or the box is too large`);
        }
        return cells;
    }
    /** The same object each time. */
    time() {
        const at = this.#scratch + scratch.time;
        this.#library.view.setUint32(at + layout.time.structBytes, layout.time.bytes, true);
        this.#check(this.#library.call.get_time(this.#alive(), at), 'time');
        return readTime(this.#library.view, at, this.#time);
    }
    /** The same object each time. */
    telemetry() {
        const at = this.#scratch + scratch.telemetry;
        this.#library.view.setUint32(at + layout.telemetry.structBytes, layout.telemetry.bytes, true);
        this.#check(this.#library.call.get_telemetry(this.#alive(), at), 'telemetry');
        return readTelemetry(this.#library.view, at, this.#telemetry);
    }
    /** The last 12.8 s of the connection; the same object each time. */
    netGraph() {
        const at = this.#scratch + scratch.netSamples;
        const count = this.#check(this.#library.call.net_graph(this.#alive(), at, layout.netSample.bytes, samplesMax), 'netGraph');
        return this.#netGraph.read(this.#library.view, at, Math.min(count, samplesMax));
    }
    /**
     * Sends and receives over a simulated path from now on: a profile of the lab and values that
     * replace its own, e.g. "P5", "P2 loss-permille=50" or "delay-ms=75 jitter-ms=10" (one way);
     * "none" ends it. Datagrams then move once per frame.
     */
    link(nowMs, conditions) {
        const nowUs = microseconds(nowMs);
        const result = this.#withText(conditions, (address) => this.#library.call.link(this.#alive(), nowUs, address));
        if (result < 0) {
            throw new PerigeeError('bad-argument', `"${conditions}" has a word that is no condition of a link: write a profile such as P5, ` +
                'delay-ms=, jitter-ms= (one way), loss-permille=, or none');
        }
    }
    /** Sets techniques against latency, e.g. "smoothing=none prediction=off"; the others stay. */
    use(techniques) {
        const result = this.#withText(techniques, (address) => this.#library.call.use(this.#alive(), address));
        if (result < 0) {
            throw new PerigeeError('bad-argument', `"${techniques}" has a technique or a value that does not exist; docs/tuning.md lists them`);
        }
    }
    /** Keeps the last `seconds` (1 to 40) of the own avatar from now on; 0 ends it. */
    record(seconds) {
        this.#check(this.#library.call.record(this.#alive(), seconds), 'record');
    }
    /** The client's half of a flight recording, as a file; undefined: nothing is recorded yet. */
    recording() {
        const { bytes, result } = this.#grown(recordingBytes, (address, capacity, size) => this.#library.call.recording(this.#alive(), address, capacity, size));
        return this.#check(result, 'recording') === 0 ? undefined : bytes;
    }
    /**
     * Reads a flight recording, and the other side's half if there is one: both paths, and the causes
     * of the corrections. Runs ticks again, for up to seconds: call it in a worker. `reruns`: compares
     * every tick with its replay, too. Throws 'bad-recording' with the reader's sentence.
     */
    reportFlight(half, other, reruns = false) {
        const library = this.#library;
        const addresses = [half, other].map((file) => {
            if (!file)
                return 0;
            const address = library.allocate(Math.max(file.length, 1));
            library.bytes.set(file, address);
            return address;
        });
        const { bytes, result } = this.#grown(reportBytes, (address, capacity, size) => library.call.report_flight(this.#alive(), addresses[0], half.length, addresses[1], other?.length ?? 0, reruns ? 1 : 0, address, capacity, size));
        for (const address of addresses)
            if (address !== 0)
                library.release(address);
        const text = new TextDecoder().decode(bytes);
        if (this.#check(result, 'reportFlight') === 0)
            throw new PerigeeError('bad-recording', text);
        return JSON.parse(text);
    }
    /** Displaces the predicted avatar, to demonstrate a correction. */
    injectDesync(xM, yM, zM) {
        this.#check(this.#library.call.inject_desync(this.#alive(), xM, yM, zM), 'injectDesync');
    }
    /** A call that writes bytes, again with more room if it says that it needs more. */
    #grown(capacity, call) {
        const library = this.#library;
        const size = this.#scratch + scratch.datagramBytes;
        for (;;) {
            const address = library.allocate(capacity);
            library.view.setUint32(size, 0, true);
            const result = call(address, capacity, size);
            const wanted = library.view.getUint32(size, true);
            const bytes = library.bytes.slice(address, address + Math.min(wanted, capacity));
            library.release(address);
            if (result !== layout.results.bufferTooSmall)
                return { bytes, result };
            capacity = wanted + wanted / 4; // a recording may grow meanwhile
        }
    }
    #withText(text, call) {
        const bytes = new TextEncoder().encode(`${text}\0`);
        const address = this.#library.allocate(bytes.length);
        this.#library.bytes.set(bytes, address);
        const result = call(address);
        this.#library.release(address);
        return result;
    }
    #alive() {
        if (this.#handle === 0)
            throw new PerigeeError('ended', 'this client has been destroyed');
        return this.#handle;
    }
    #check(result, call) {
        if (result >= 0)
            return result;
        if (result === layout.results.notPlaying) {
            throw new PerigeeError('not-playing', `${call} needs a player in the world`);
        }
        if (result === layout.results.badArgument) {
            throw new PerigeeError('bad-argument', `an argument of ${call} is not a number, or out of range`);
        }
        throw new PerigeeError('stopped', `${call} failed inside the client library (${result})`);
    }
}
function microseconds(nowMs) {
    if (!Number.isFinite(nowMs))
        throw new PerigeeError('bad-argument', 'the time is not a number');
    return BigInt(Math.round(nowMs * 1000));
}

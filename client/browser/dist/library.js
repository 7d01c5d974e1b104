/** An instance of a game's module: its functions, its memory, and the end of both after a fault. */
import { PerigeeError, sentenceOf } from './errors.js';
import * as layout from './layout.js';
import { Wasi, wasiModule } from './wasi.js';
const prefix = 'perigee_client_';
const names = [
    'abi', 'create', 'destroy', 'wire_version', 'schema_hash', 'begin', 'receive', 'advance',
    'input_fields', 'set_input', 'own_input_bytes', 'set_own_input', 'poll_send', 'disconnect', 'get_state', 'scene', 'type_name', 'cues', 'heard', 'type_state_bytes',
    'game_state', 'world_state_bytes', 'world_state', 'player_name', 'send_message', 'messages',
    'get_ground', 'cells', 'get_time', 'get_telemetry', 'net_graph', 'link', 'use', 'record', 'recording',
    'report_flight', 'inject_desync',
];
export class Library {
    call;
    #wasi = new Wasi();
    #memory;
    #malloc;
    #free;
    #bytes;
    #view;
    #failure;
    constructor(module) {
        const missing = WebAssembly.Module.imports(module).find((wanted) => wanted.module !== wasiModule || !(wanted.name in this.#wasi.functions));
        if (missing) {
            throw new PerigeeError('module-missing', `the game's module imports ${missing.name}, which a page does not have: the game may use ` +
                'no files, clocks, threads or random devices');
        }
        const instance = new WebAssembly.Instance(module, { [wasiModule]: this.#wasi.functions });
        const exported = instance.exports;
        const unknown = ['memory', '_initialize', 'malloc', 'free', `${prefix}abi`].find((name) => !(name in exported));
        if (unknown)
            throw notOurs(unknown);
        this.#memory = exported['memory'];
        this.#wasi.use(this.#memory);
        this.#bytes = new Uint8Array(this.#memory.buffer);
        this.#view = new DataView(this.#bytes.buffer);
        this.#malloc = this.#guarded(exported['malloc']);
        this.#free = this.#guarded(exported['free']);
        this.#guarded(exported['_initialize'])();
        checkAbi(this.#guarded(exported[`${prefix}abi`])());
        this.call = this.#functions(exported);
    }
    static of(module) {
        return new Library(module);
    }
    /** The module's memory as it is now; invalid after the next call of the module. */
    get bytes() {
        if (this.#bytes.buffer !== this.#memory.buffer)
            this.#renewViews();
        return this.#bytes;
    }
    get view() {
        if (this.#bytes.buffer !== this.#memory.buffer)
            this.#renewViews();
        return this.#view;
    }
    allocate(bytes) {
        const address = this.#malloc(bytes) >>> 0;
        if (address === 0) {
            throw new PerigeeError('out-of-memory', `the page has no memory left for ${bytes} bytes`);
        }
        return address;
    }
    release(address) {
        if (this.#failure === undefined)
            this.#free(address);
    }
    /** A text that ends with a 0. */
    textAt(address) {
        const bytes = this.bytes;
        return new TextDecoder().decode(bytes.slice(address, bytes.indexOf(0, address)));
    }
    // When the memory grows, it gets another buffer, and views of the former one are empty.
    #renewViews() {
        this.#bytes = new Uint8Array(this.#memory.buffer);
        this.#view = new DataView(this.#bytes.buffer);
    }
    #functions(exported) {
        const functions = {};
        for (const name of names) {
            const one = exported[prefix + name];
            if (typeof one !== 'function')
                throw notOurs(prefix + name);
            functions[name] = this.#guarded(one);
        }
        return functions;
    }
    /** After a fault the module's state is unknown, so every later call fails, too. */
    #guarded(one) {
        return (...values) => {
            if (this.#failure)
                throw this.#failure;
            try {
                return one(...values);
            }
            catch (error) {
                const why = this.#wasi.errors || sentenceOf(error);
                this.#failure = new PerigeeError('stopped', `the game's module has stopped because of a bug: ${why}`, { cause: error });
                throw this.#failure;
            }
        };
    }
}
function checkAbi(abi) {
    if (abi === layout.abi)
        return;
    throw new PerigeeError('other-abi', `the game's module has version ${abi} of the client library's interface, and this package has ` +
        `version ${layout.abi}: build the module from the same version of perigee as @perigee/client`);
}
function notOurs(name) {
    return new PerigeeError('module-missing', `the game's module does not export ${name}: build it with client/browser/build.sh of perigee`);
}

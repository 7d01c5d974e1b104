import { Client } from './client.js';
import { PerigeeError, sentenceOf } from './errors.js';
import { Library } from './library.js';
/** The example game, beside this package's code. */
export const skiffUrl = new URL('./skiff.wasm', import.meta.url);
const wasmType = 'application/wasm';
/** A game's module, loaded. All clients of one Game share its memory; they know nothing of each other. */
export class Game {
    #library;
    constructor(library) {
        this.#library = library;
    }
    /** `source`: as client/browser/build.sh writes it. */
    static async load(source = skiffUrl) {
        if (typeof WebAssembly !== 'object') {
            throw new PerigeeError('no-webassembly', 'this browser has no WebAssembly, which the game needs: update it, or switch WebAssembly on');
        }
        return new Game(Library.of(await compiled(source)));
    }
    /** The version of the wire that the module speaks; a log-in names it. */
    get wireVersion() {
        return this.#library.call.wire_version();
    }
    createClient() {
        return new Client(this.#library);
    }
}
async function compiled(source) {
    if (source instanceof WebAssembly.Module)
        return source;
    try {
        if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
            return await WebAssembly.compile(source);
        }
        if (source instanceof Response)
            return await compiledResponse(source);
        const url = new URL(source, globalThis.location?.href);
        if (url.protocol === 'file:')
            return await WebAssembly.compile(await fileOf(url));
        return await compiledResponse(await fetch(url));
    }
    catch (error) {
        const from = source instanceof URL || typeof source === 'string' ? ` from ${source}` : '';
        throw new PerigeeError('module-missing', `the game's module cannot be loaded${from}: ${sentenceOf(error)}`, { cause: error });
    }
}
/** While it arrives, if the server names its type; browsers refuse other types. */
async function compiledResponse(response) {
    if (!response.ok)
        throw new Error(`the server answers ${response.status}`);
    const type = response.headers.get('content-type')?.split(';')[0]?.trim();
    if (type === wasmType && 'compileStreaming' in WebAssembly) {
        return WebAssembly.compileStreaming(response);
    }
    return WebAssembly.compile(await response.arrayBuffer());
}
/** In node, which fetches no files. */
async function fileOf(url) {
    const files = 'node:fs/promises'; // a variable, so that bundlers leave it alone
    const { readFile } = await import(/* @vite-ignore */ files);
    return readFile(url);
}

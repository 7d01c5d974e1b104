/** An instance of a game's module: its functions, its memory, and the end of both after a fault. */
import { PerigeeError, sentenceOf } from './errors.js';
import * as layout from './layout.js';
import { Wasi, wasiModule } from './wasi.js';

/** perigee_client.h, without the prefix. Addresses are numbers, 64-bit integers are BigInts. */
export interface Functions {
  abi(): number;
  create(abi: number): number;
  destroy(client: number): void;
  wire_version(): number;
  schema_hash(client: number): bigint;
  begin(client: number, nowUs: bigint, token: number, tokenBytes: number): number;
  receive(client: number, nowUs: bigint, from: number, datagram: number, bytes: number): number;
  advance(client: number, nowUs: bigint, input: number): number;
  input_fields(client: number, fields: number, each: number, capacity: number): number;
  set_input(client: number, name: number, value: bigint): number;
  own_input_bytes(client: number): number;
  set_own_input(client: number, fields: number, bytes: number): number;
  poll_send(client: number, to: number, datagram: number, capacity: number, bytes: number): number;
  disconnect(client: number, nowUs: bigint): number;
  get_state(client: number): number;
  scene(client: number, nowUs: bigint, entities: number, each: number, capacity: number): number;
  type_name(client: number, type: number): number;
  cues(client: number, cues: number, each: number, capacity: number): number;
  heard(client: number, cues: number, each: number, capacity: number): number;
  type_state_bytes(client: number, type: number): number;
  game_state(client: number, handle: number, state: number, bytes: number): number;
  world_state_bytes(client: number): number;
  world_state(client: number, state: number, bytes: number): number;
  player_name(client: number, handle: number, name: number, capacity: number): number;
  send_message(client: number, message: number, bytes: number): number;
  messages(client: number, message: number, capacity: number, bytes: number): number;
  get_ground(client: number, handle: number, ground: number): number;
  cells(
    client: number, handle: number, low: number, size: number, solid: number, capacity: number,
  ): number;
  get_time(client: number, time: number): number;
  get_telemetry(client: number, telemetry: number): number;
  net_graph(client: number, samples: number, each: number, capacity: number): number;
  link(client: number, nowUs: bigint, conditions: number): number;
  use(client: number, techniques: number): number;
  record(client: number, seconds: number): number;
  recording(client: number, recording: number, capacity: number, bytes: number): number;
  report_flight(
    client: number, half: number, halfBytes: number, other: number, otherBytes: number,
    reruns: number, json: number, capacity: number, jsonBytes: number,
  ): number;
  inject_desync(client: number, xM: number, yM: number, zM: number): number;
}

const prefix = 'perigee_client_';
const names: (keyof Functions)[] = [
  'abi', 'create', 'destroy', 'wire_version', 'schema_hash', 'begin', 'receive', 'advance',
  'input_fields', 'set_input', 'own_input_bytes', 'set_own_input', 'poll_send', 'disconnect', 'get_state', 'scene', 'type_name', 'cues', 'heard', 'type_state_bytes',
  'game_state', 'world_state_bytes', 'world_state', 'player_name', 'send_message', 'messages',
  'get_ground', 'cells', 'get_time', 'get_telemetry', 'net_graph', 'link', 'use', 'record', 'recording',
  'report_flight', 'inject_desync',
];

type Callable = (...values: (number | bigint)[]) => number;

export class Library {
  readonly call: Functions;
  readonly #wasi = new Wasi();
  readonly #memory: WebAssembly.Memory;
  readonly #malloc: Callable;
  readonly #free: Callable;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #failure: PerigeeError | undefined;

  private constructor(module: WebAssembly.Module) {
    const missing = WebAssembly.Module.imports(module).find(
      (wanted) => wanted.module !== wasiModule || !(wanted.name in this.#wasi.functions),
    );
    if (missing) {
      throw new PerigeeError(
        'module-missing',
        `the game's module imports ${missing.name}, which a page does not have: the game may use ` +
          'no files, clocks, threads or random devices',
      );
    }
    const instance = new WebAssembly.Instance(module, { [wasiModule]: this.#wasi.functions });
    const exported = instance.exports as Record<string, unknown>;
    const unknown = ['memory', '_initialize', 'malloc', 'free', `${prefix}abi`].find(
      (name) => !(name in exported),
    );
    if (unknown) throw notOurs(unknown);
    this.#memory = exported['memory'] as WebAssembly.Memory;
    this.#wasi.use(this.#memory);
    this.#bytes = new Uint8Array(this.#memory.buffer as ArrayBuffer);
    this.#view = new DataView(this.#bytes.buffer);
    this.#malloc = this.#guarded(exported['malloc'] as Callable);
    this.#free = this.#guarded(exported['free'] as Callable);
    this.#guarded(exported['_initialize'] as Callable)();
    checkAbi(this.#guarded(exported[`${prefix}abi`] as Callable)());
    this.call = this.#functions(exported);
  }

  static of(module: WebAssembly.Module): Library {
    return new Library(module);
  }

  /** The module's memory as it is now; invalid after the next call of the module. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.buffer !== this.#memory.buffer) this.#renewViews();
    return this.#bytes;
  }
  get view(): DataView<ArrayBuffer> {
    if (this.#bytes.buffer !== this.#memory.buffer) this.#renewViews();
    return this.#view;
  }

  allocate(bytes: number): number {
    const address = this.#malloc(bytes) >>> 0;
    if (address === 0) {
      throw new PerigeeError('out-of-memory', `the page has no memory left for ${bytes} bytes`);
    }
    return address;
  }
  release(address: number): void {
    if (this.#failure === undefined) this.#free(address);
  }

  /** A text that ends with a 0. */
  textAt(address: number): string {
    const bytes = this.bytes;
    return new TextDecoder().decode(bytes.slice(address, bytes.indexOf(0, address)));
  }

  // When the memory grows, it gets another buffer, and views of the former one are empty.
  #renewViews(): void {
    this.#bytes = new Uint8Array(this.#memory.buffer as ArrayBuffer);
    this.#view = new DataView(this.#bytes.buffer);
  }

  #functions(exported: Record<string, unknown>): Functions {
    const functions: Record<string, Callable> = {};
    for (const name of names) {
      const one = exported[prefix + name];
      if (typeof one !== 'function') throw notOurs(prefix + name);
      functions[name] = this.#guarded(one as Callable);
    }
    return functions as unknown as Functions;
  }

  /** After a fault the module's state is unknown, so every later call fails, too. */
  #guarded(one: Callable): Callable {
    return (...values) => {
      if (this.#failure) throw this.#failure;
      try {
        return one(...values);
      } catch (error) {
        const why = this.#wasi.errors || sentenceOf(error);
        this.#failure = new PerigeeError(
          'stopped', `the game's module has stopped because of a bug: ${why}`, { cause: error },
        );
        throw this.#failure;
      }
    };
  }
}

function checkAbi(abi: number): void {
  if (abi === layout.abi) return;
  throw new PerigeeError(
    'other-abi',
    `the game's module has version ${abi} of the client library's interface, and this package has ` +
      `version ${layout.abi}: build the module from the same version of perigee as @perigee/client`,
  );
}

function notOurs(name: string): PerigeeError {
  return new PerigeeError(
    'module-missing',
    `the game's module does not export ${name}: build it with client/browser/build.sh of perigee`,
  );
}

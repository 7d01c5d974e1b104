// WebAssembly modules of a few bytes, in place of a game's.
const i32 = 0x7f;
const constant = (value) => [0x41, ...signed(value)];
const unreachable = 0x00;
const drop = 0x1a;
const end = 0x0b;
const call = (index) => [0x10, index];

function unsigned(value) {
  const bytes = [];
  do {
    const part = value & 0x7f;
    value >>>= 7;
    bytes.push(value ? part | 0x80 : part);
  } while (value);
  return bytes;
}
function signed(value) {
  const bytes = [];
  for (;;) {
    const part = value & 0x7f;
    value >>= 7;
    if ((value === 0 && !(part & 0x40)) || (value === -1 && part & 0x40)) return [...bytes, part];
    bytes.push(part | 0x80);
  }
}
const vector = (items) => [...unsigned(items.length), ...items.flat()];
const text = (value) => vector([...new TextEncoder().encode(value)]);
const section = (id, items) => [id, ...vector(vector(items))];

const functions = [
  'abi', 'create', 'destroy', 'wire_version', 'schema_hash', 'begin', 'receive', 'advance',
  'input_fields', 'set_input', 'own_input_bytes', 'set_own_input', 'poll_send', 'disconnect', 'get_state', 'scene', 'type_name', 'cues', 'heard', 'type_state_bytes',
  'game_state', 'world_state_bytes', 'world_state', 'player_name', 'send_message', 'messages',
  'get_ground', 'cells', 'get_time', 'get_telemetry', 'net_graph', 'link', 'use', 'record', 'recording',
  'report_flight', 'inject_desync',
].map((name) => `perigee_client_${name}`);

/**
 * All functions return 1, abi() returns `abi`, and create() writes `lastWords` to standard error and
 * ends as abort() does. `imported`: the name of the function that writes. `without`: one that is not
 * exported.
 */
export function smallModule({ abi = 1, lastWords = '', imported = 'fd_write', without = '' } = {}) {
  const writeType = [0x60, ...vector([i32, i32, i32, i32].map((t) => [t])), ...vector([[i32]])];
  const plainType = [0x60, ...vector([]), ...vector([[i32]])];
  // At 0: one segment of 8 bytes with address and length of the text, which is at 16.
  const words = [...new TextEncoder().encode(lastWords)];
  const data = [16, 0, 0, 0, words.length & 255, words.length >> 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...words];
  const write = [...constant(2), ...constant(0), ...constant(1), ...constant(8), ...call(0), drop];
  const body = (name) => {
    if (name === 'perigee_client_abi') return constant(abi);
    if (name === 'perigee_client_create' && lastWords) return [...write, unreachable];
    return constant(1);
  };
  const names = ['_initialize', 'malloc', 'free', ...functions];
  return new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [writeType, plainType]),
    ...section(2, [[...text('wasi_snapshot_preview1'), ...text(imported), 0, 0]]),
    ...section(3, names.map(() => [1])),
    ...section(5, [[0, 1]]),
    ...section(7, [
      [...text('memory'), 2, 0],
      ...names.map((name, i) => [...text(name), 0, i + 1]).filter((_, i) => names[i] !== without),
    ]),
    ...section(10, names.map((name) => vector([0, ...body(name), end]))),
    ...section(11, [[0, ...constant(0), end, ...vector(data)]]),
  ]);
}

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { failure, inside, perigee } from './package.mjs';
import { unsealedToken } from './token.mjs';

const { Client, Game, buttons } = perigee;
const game = await Game.load();

test('bytes that are no token are refused', () => {
  const client = game.createClient();
  assert.equal(client.state, 'disconnected');
  assert.throws(() => client.begin(0, new Uint8Array(2048)), failure('bad-token', /no connect token; log in/));
  assert.equal(client.state, 'token-invalid');
  assert.throws(() => client.begin(0, new Uint8Array(0)), failure('bad-token', /0 bytes/));
  client.destroy();
});

test('a client knocks at the gateway of its token, and at the next one after its timeout', () => {
  const client = game.createClient();
  client.begin(1000, unsealedToken([[10, 0, 0, 7, 40000], [127, 0, 0, 1, 40001]], { timeoutS: 2 }));
  assert.equal(client.state, 'connecting');
  const { to, bytes } = client.pollSend();
  assert.deepEqual([to.text, to.host, to.port], ['10.0.0.7:40000', '10.0.0.7', 40000]);
  assert.equal(bytes.length, 1078, 'a request of netcode');
  assert.equal(client.pollSend(), undefined);

  client.receive(1500, to, new Uint8Array(4_000_000)); // longer than any of ours
  client.receive(1500, to, new Uint8Array(100));
  client.advance(3100, {});
  assert.equal(client.pollSend().to.text, '127.0.0.1:40001');
  client.advance(5200, {});
  assert.equal(client.state, 'request-timed-out');
  client.disconnect(5300);
  assert.equal(client.state, 'disconnected');
  client.destroy();
});

test('before the first block there is nothing to draw, and the time is not known', () => {
  const client = game.createClient();
  client.advance(1000, {});
  const scene = client.scene(1000);
  assert.equal(scene.count, 0);
  assert.equal(scene.own, undefined);
  assert.deepEqual([...scene], []);
  assert.throws(() => scene.at(0), RangeError);
  assert.deepEqual(client.cues(), []);
  assert.deepEqual(client.heard(), []);
  assert.equal(client.time().known, false);
  assert.equal(client.telemetry().corrections, 0);
  assert.equal(client.ground(1), undefined);
  assert.equal(client.gameState(1, 0), undefined);
  assert.equal(client.worldState(), undefined, 'Skiff has none');
  assert.deepEqual(client.takeMessages(), []);
  client.destroy();
});

test('a game without input fields of its own takes none', () => {
  const client = game.createClient();
  assert.deepEqual(client.inputFields(), []);
  assert.throws(() => client.setInput('slot', 3), failure('bad-argument', /no input field slot/));
  assert.throws(() => client.setInput('slot', 0.5), failure('bad-argument', /0.5 is out of its range/));
  assert.throws(() => client.setOwnInput(new Uint8Array(1)), failure('bad-argument', /setOwnInput/));
  client.destroy();
});

test('32 messages wait for a connection, and a further one is for later', () => {
  const client = game.createClient();
  client.begin(1000, unsealedToken([[127, 0, 0, 1, 40000]]));
  const longest = new Uint8Array(1024).fill(7);
  for (let i = 0; i < 32; ++i) assert.equal(client.sendMessage(longest), true);
  assert.equal(client.sendMessage(longest), false);
  assert.throws(() => client.sendMessage(new Uint8Array(1025)), failure('bad-argument', /1025 bytes is longer than 1024/));
  assert.throws(() => client.sendMessage(new Uint8Array(0)), failure('bad-argument', /sendMessage/));
  client.destroy();
  assert.throws(() => client.sendMessage(longest), failure('ended', /has been destroyed/));
});

test('a simulated link delays what is sent, until it is ended', () => {
  const client = game.createClient();
  client.link(1000, 'delay-ms=150');
  client.begin(1000, unsealedToken([[127, 0, 0, 1, 40000]]));
  client.advance(1000, {});
  assert.equal(client.pollSend(), undefined, 'the request is on its way');
  client.advance(1200, {});
  assert.equal(client.pollSend().bytes.length, 1078);
  client.link(1300, 'none');
  client.advance(1400, {});
  assert.equal(client.pollSend().bytes.length, 1078, 'at once');
  assert.throws(() => client.link(1500, 'delay-ms=fast'), failure('bad-argument', /"delay-ms=fast" has a word/));
  client.link(1500, 'P5 loss-permille=50');
  client.destroy();
});

test('a net graph has a sample for each 50 ms, in the same columns each time', () => {
  const client = game.createClient();
  assert.equal(client.netGraph().count, 0);
  client.begin(1000, unsealedToken([[127, 0, 0, 1, 40000]]));
  for (let now = 1000; now <= 2000; now += 16) {
    client.advance(now, {});
    while (client.pollSend());
  }
  const graph = client.netGraph();
  const { endMs, bytesSent, packetsSent } = graph;
  assert.ok(graph.count >= 15 && graph.count <= 20, String(graph.count));
  assert.equal(endMs[1] - endMs[0], 50);
  assert.ok(endMs[graph.count - 1] <= 2000);
  const sum = (column) => column.subarray(0, graph.count).reduce((total, value) => total + value, 0);
  assert.equal(sum(bytesSent), 1078 * sum(packetsSent));
  assert.ok(sum(packetsSent) > 0);
  for (let now = 2000; now <= 20_000; now += 16) client.advance(now, {});
  assert.equal(client.netGraph(), graph);
  assert.equal(graph.endMs, endMs);
  assert.equal(graph.count, 256, '12.8 s');
  client.destroy();
});

test('a sample of the net graph is read as perigee_client_net_sample', async () => {
  const { NetGraph } = perigee;
  const view = new DataView(new ArrayBuffer(128));
  [2_050_000n, 50_500n, 1_250n, 33_000n].forEach((value, i) => view.setBigInt64(64 + 8 * i, value, true));
  [3, 1, 900, 4, 500, 2].forEach((value, i) => view.setUint32(96 + 4 * i, value, true));
  view.setFloat64(120, 0.75, true);
  const graph = new NetGraph().read(view, 0, 2);
  assert.deepEqual(
    ['endMs', 'rttMs', 'jitterMs', 'leadMs', 'packetsReceived', 'packetsLost', 'bytesReceived', 'packetsSent',
      'bytesSent', 'corrections', 'largestCorrectionM'].map((column) => graph[column][1]),
    [2050, 50.5, 1.25, 33, 3, 1, 900, 4, 500, 2, 0.75],
  );
});

test('types have the names of the game', () => {
  const client = game.createClient();
  const names = [];
  for (let type = 0; client.typeName(type) !== undefined; ++type) names.push(client.typeName(type));
  assert.ok(names.includes('character') && names.includes('crate'), names.join(' '));
  assert.ok(client.schemaHash > 0n && client.schemaHash < 1n << 64n);
  client.destroy();
});

test('wrong arguments are named, and change nothing', () => {
  const client = game.createClient();
  client.use('smoothing=none prediction=off');
  assert.throws(() => client.use('smoothing=quick'), failure('bad-argument', /"smoothing=quick" has a/));
  assert.throws(() => client.advance(0, { forward: NaN }), failure('bad-argument', /argument of advance/));
  assert.throws(() => client.advance(NaN, {}), failure('bad-argument', /time is not a number/));
  assert.throws(() => client.cells(1, [0, 0, 0], [1, 1, 1]), failure('bad-argument', /no ground/));
  assert.throws(() => client.injectDesync(1, 0, 0), failure('not-playing', /needs a player/));
  assert.throws(() => client.injectDesync(1, Infinity, 0), failure('bad-argument', /injectDesync/));
  client.destroy();
});

test('a destroyed client says so, and may be destroyed again', () => {
  const client = game.createClient();
  client.destroy();
  client.destroy();
  assert.throws(() => client.state, failure('ended', /has been destroyed/));
  assert.throws(() => client.scene(0), failure('ended', /has been destroyed/));
});

test('inputs are packed as perigee_client_input', async () => {
  const { writeInput } = await inside('input');
  const view = new DataView(new ArrayBuffer(64));
  const input = {
    right: -1, up: 0.5, forward: 1, yawRad: 2, pitchRad: -0.25, useHandle: 77,
    held: buttons.run | buttons.fire, pressed: buttons.jump,
  };
  writeInput(view, 8, input);
  assert.equal(view.getUint32(8, true), 36);
  assert.deepEqual([12, 16, 20, 24, 28].map((at) => view.getFloat32(at, true)), [-1, 0.5, 1, 2, -0.25]);
  assert.deepEqual([32, 36, 40].map((at) => view.getUint32(at, true)), [0b10010, 1, 77]);
  assert.equal(view.getUint32(44, true), 0, 'nothing behind it');
  writeInput(view, 8, {});
  assert.deepEqual([12, 16, 20, 24, 28, 32, 36, 40].map((at) => view.getUint32(at, true)), Array(8).fill(0));
});

test('every state of the library has a name', async () => {
  const { stateOf, isOver } = await inside('state');
  const names = [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4].map(stateOf);
  assert.deepEqual(names, [
    'token-expired', 'token-invalid', 'timed-out', 'response-timed-out', 'request-timed-out', 'denied',
    'disconnected', 'connecting', 'joining', 'playing', 'reconnecting',
  ]);
  assert.deepEqual(names.map(isOver), [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0].map(Boolean));
});

test('clients work on when the memory of their module has grown', async () => {
  const { Library } = await inside('library');
  const library = Library.of(new WebAssembly.Module(await readFile(perigee.skiffUrl)));
  const first = new Client(library);
  first.begin(0, unsealedToken([[127, 0, 0, 1, 40000]]));
  const before = library.bytes;
  const others = [];
  while (before.length > 0 && others.length < 200) others.push(new Client(library));
  assert.equal(before.length, 0, 'the former view is empty: the memory has grown');
  assert.equal(first.pollSend().to.text, '127.0.0.1:40000');
  first.advance(200, { forward: 1 });
  assert.equal(first.pollSend().bytes.length, 1078);
  assert.equal(first.scene(200).count, 0);
  assert.equal(first.typeName(0).length > 0, true);
  for (const other of others) other.destroy();
  const size = library.bytes.length;
  const again = others.map(() => new Client(library));
  assert.equal(library.bytes.length, size, 'destroyed clients have given their memory back');
  for (const client of [first, ...again]) client.destroy();
});

test('frames use no more memory, however many there are', async () => {
  const { Library } = await inside('library');
  const library = Library.of(new WebAssembly.Module(await readFile(perigee.skiffUrl)));
  const client = new Client(library);
  client.begin(0, unsealedToken([[127, 0, 0, 1, 40000]], { timeoutS: 1000, validS: 1000n }));
  const size = library.bytes.length;
  for (let frame = 0; frame < 10_000; ++frame) {
    client.advance(frame * 16, { forward: 1 });
    while (client.pollSend());
    client.scene(frame * 16), client.cues(), client.heard(), client.time(), client.telemetry(), client.netGraph();
    client.use('smoothing=none');
  }
  assert.equal(client.state, 'connecting');
  assert.equal(library.bytes.length, size);
});

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { failure, inside, perigee } from './package.mjs';
import { unsealedToken } from './token.mjs';

const { Address, Game, WebSocketPath, WebTransportPath } = perigee;
const { Paths } = await inside('paths');

const address = (port, ...ip) => {
  const encoded = new Uint8Array(20);
  encoded.set([ip.length === 4 ? 4 : 6, ...ip]);
  new DataView(encoded.buffer).setUint16(18, port, true);
  return Address.read(encoded, 0);
};
const gateway = address(40000, 127, 0, 0, 1);
const one = new Uint8Array([1]);

const { WebSocket, WebTransport } = globalThis;
afterEach(() => Object.assign(globalThis, { WebSocket, WebTransport }));

/** What a browser's WebSocket does, by hand. */
class FakeWebSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  static last;
  readyState = 0;
  bufferedAmount = 0;
  sent = [];

  constructor(url) {
    this.url = String(url);
    FakeWebSocket.last = this;
  }
  send(bytes) {
    this.sent.push(bytes[0]);
  }
  opens() {
    this.readyState = 1;
    this.onopen();
  }
  closes(code, reason = '') {
    this.readyState = 3;
    this.onclose({ code, reason });
  }
  close() {
    this.closes(1000);
  }
}

test('an address has a text for the relay', () => {
  assert.equal(gateway.text, '127.0.0.1:40000');
  assert.equal(address(1, 0xfd, ...Array(14).fill(0), 7).text, '[fd00:0:0:0:0:0:0:7]:1');
});

test('a WebSocket path names its gateway, and keeps the newest datagrams until it is open', () => {
  globalThis.WebSocket = FakeWebSocket;
  const path = new WebSocketPath('http://host:8080/relay?x=1', gateway);
  const socket = FakeWebSocket.last;
  assert.equal(socket.url, 'ws://host:8080/relay?x=1&gateway=127.0.0.1:40000');
  assert.equal(socket.binaryType, 'arraybuffer');
  for (let i = 0; i < 10; ++i) path.send(new Uint8Array([i]));
  socket.opens();
  assert.deepEqual(socket.sent, [2, 3, 4, 5, 6, 7, 8, 9]);
  assert.equal(path.dropped, 2);
  path.send(one);
  assert.equal(socket.sent.at(-1), 1);
  socket.bufferedAmount = 1e6;
  path.send(one);
  assert.equal(path.dropped, 3, 'a full queue is not made longer');
});

test('a WebSocket path delivers binary messages, and tells why it closed', () => {
  globalThis.WebSocket = FakeWebSocket;
  const path = new WebSocketPath('ws://host/relay', gateway);
  const got = [];
  path.onDatagram = (bytes) => got.push(...bytes);
  path.onClose = (why) => got.push(why);
  FakeWebSocket.last.opens();
  FakeWebSocket.last.onmessage({ data: new Uint8Array([5, 6]).buffer });
  FakeWebSocket.last.onmessage({ data: 'a text' });
  FakeWebSocket.last.closes(1008, 'no such gateway');
  assert.deepEqual(got, [5, 6, 'the relay ws://host/relay closed the connection (no such gateway)']);
  path.send(one);
  assert.equal(path.dropped, 1);

  const other = new WebSocketPath('ws://host/relay', gateway);
  other.onClose = (why) => got.push(why);
  FakeWebSocket.last.closes(1006);
  assert.equal(got.at(-1), 'the relay ws://host/relay cannot be reached (1006)');
  const closed = new WebSocketPath('ws://host/relay', gateway);
  closed.onClose = () => assert.fail('close() is no surprise');
  closed.close();
});

test('browsers without WebSocket or WebTransport are told so', () => {
  globalThis.WebSocket = undefined;
  assert.throws(() => new WebSocketPath('ws://host', gateway), failure('no-websocket', /has no WebSocket/));
  globalThis.WebTransport = undefined;
  assert.throws(() => new WebTransportPath('https://host', gateway), failure('no-webtransport', /by WebSocket/));
});

/** What a browser's WebTransport does, by hand. */
class FakeWebTransport {
  static last;
  sent = [];
  constructor(url, options) {
    Object.assign(this, { url, options });
    FakeWebTransport.last = this;
    this.ready = new Promise((resolve) => (this.becomesReady = resolve));
    this.closed = new Promise((resolve, reject) => Object.assign(this, { ends: resolve, fails: reject }));
    this.datagrams = {
      maxDatagramSize: 1211,
      writable: new WritableStream({ write: (bytes) => void this.sent.push(bytes.length) }, { highWaterMark: 2 }),
      readable: new ReadableStream({ start: (controller) => void (this.incoming = controller) }),
    };
  }
  close() {
    this.ends({ reason: '' });
  }
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a WebTransport path carries datagrams that fit, and counts the others', async () => {
  globalThis.WebTransport = FakeWebTransport;
  const hash = { algorithm: 'sha-256', value: new Uint8Array(32) };
  const path = new WebTransportPath('https://host/relay', gateway, { serverCertificateHashes: [hash] });
  const got = [];
  path.onDatagram = (bytes) => got.push(...bytes);
  path.onClose = (why) => got.push(why);
  const transport = FakeWebTransport.last;
  assert.equal(transport.url, 'https://host/relay?gateway=127.0.0.1:40000');
  assert.deepEqual(transport.options.serverCertificateHashes, [hash]);
  path.send(one);
  assert.equal(path.dropped, 1, 'not connected yet');
  transport.becomesReady();
  await settled();
  path.send(one);
  path.send(new Uint8Array(1211));
  path.send(one);
  assert.equal(path.dropped, 2, 'the browser takes two at a time');
  await settled();
  path.send(new Uint8Array(1212));
  assert.equal(path.droppedTooLong, 1);
  assert.deepEqual(transport.sent, [1, 1211]);
  transport.incoming.enqueue(new Uint8Array([8, 9]));
  await settled();
  transport.fails(new Error('Connection lost.'));
  await settled();
  assert.deepEqual(got, [8, 9, 'the relay https://host/relay was lost, or cannot be reached (Connection lost.)']);
});

/** Paths to gateways on ports from 1 on, and what happened to them. */
function somePaths() {
  const opened = [];
  const paths = new Paths(
    (to) => {
      const path = { to, sent: 0, closed: false, send: () => ++path.sent, close: () => (path.closed = true) };
      opened.push(path);
      return path;
    },
    (from, bytes) => opened.push([from.text, bytes[0]]),
  );
  const send = (nowMs, port) => paths.send(nowMs, address(port, 10, 0, 0, 1), one);
  return { paths, opened, send };
}

test('each gateway has a path of its own, and what comes by it came from that gateway', () => {
  const { opened, send } = somePaths();
  send(0, 1), send(1, 2), send(2, 1);
  assert.deepEqual(opened.map(({ to, sent }) => [to.port, sent]), [[1, 2], [2, 1]]);
  opened[1].onDatagram(new Uint8Array([9]));
  assert.deepEqual(opened[2], ['10.0.0.1:2', 9]);
});

test('of more than four paths the one that was not used for longest is closed', () => {
  const { opened, send } = somePaths();
  send(0, 1), send(1, 2), send(2, 3), send(3, 4), send(4, 1), send(5, 5);
  assert.deepEqual(opened.map(({ to, closed }) => [to.port, closed]), [[1, false], [2, true], [3, false], [4, false], [5, false]]);
});

test('a path that closed is opened again, once a second', () => {
  const { paths, opened, send } = somePaths();
  send(0, 1);
  opened[0].onClose('the relay is gone');
  send(500, 1), send(999, 1);
  assert.equal(opened.length, 1);
  assert.equal(paths.problem, 'the relay is gone');
  send(1000, 1);
  assert.deepEqual(opened.map(({ sent }) => sent), [1, 1]);
  paths.close();
  assert.equal(opened[1].closed, true);
});

test('a path on which nothing comes back for 3 s is opened again', () => {
  const { opened, send } = somePaths();
  for (let ms = 0; ms < 3000; ms += 500) send(ms, 1);
  opened[0].onDatagram(new Uint8Array([9])); // sent before, heard at 2500
  opened.pop();
  for (let ms = 3000; ms < 5500; ms += 500) send(ms, 1);
  assert.equal(opened.length, 1);
  send(5500, 1);
  assert.deepEqual(opened.map(({ sent, closed }) => [sent, closed]), [[11, true], [1, false]]);
});

test('a path on which nothing was sent is not opened again', () => {
  const { opened, send } = somePaths();
  send(0, 1), send(60_000, 1), send(62_000, 1);
  assert.equal(opened.length, 1);
});

const token = unsealedToken([[127, 0, 0, 1, 40000]]);
const join = (more) => perigee.Session.join({ player: token, path: 'ws://host/relay', ...more });

test('a session that cannot begin says why, with what its path said', async () => {
  await assert.rejects(join({ player: new Uint8Array(9) }), failure('bad-token', /9 bytes/));
  await assert.rejects(join({ techniques: 'magic=on' }), failure('bad-argument', /"magic=on"/));
  globalThis.WebSocket = undefined;
  await assert.rejects(join(), failure('no-websocket', /no WebSocket/));
  globalThis.WebSocket = FakeWebSocket;
  const joining = join({ timeoutMs: 300, game: await Game.load() });
  await settled();
  const socket = FakeWebSocket.last;
  socket.closes(1006);
  await assert.rejects(
    joining, failure('timeout', /no avatar after 0.3 s \(connecting\): the relay ws:\/\/host\/relay cannot be reached/),
  );
});

test('a session that no gateway answers ends with the state of its client', async () => {
  globalThis.WebSocket = FakeWebSocket;
  const short = unsealedToken([[127, 0, 0, 1, 40000]], { timeoutS: 1 });
  let ended = 0;
  await assert.rejects(join({ player: short, onEnd: () => ++ended }), failure('ended', /no server answered/));
  assert.equal(ended, 0, 'it never began');
});

// Players in Chromium, through the door, in a real cluster on loopback.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate, createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { launch } from '../console/browser.mjs';
import { Cluster } from '../console/cluster.mjs';
import { Door, comes, metric, serve } from './door.mjs';

const headerBytes = 35;
let cluster, site, browser, door, ports, hash;

/** A UDP socket in the place of a gateway's listener for doors. */
const stub = createSocket('udp4');
const stubbed = [];

before(async () => {
  cluster = await Cluster.start({ gateway: (base) => ['--gateway-door-listen', `127.0.0.1:${base + 60}`] });
  const at = (offset) => cluster.base + offset;
  ports = { gateway: at(0), login: at(13), door: at(14), listener: at(60), gatewayAdmin: at(100), doorAdmin: at(104) };
  stub.on('message', (bytes, from) => stubbed.push({ bytes, from }));
  await new Promise((resolve) => stub.bind(0, '127.0.0.1', resolve));
  site = await serve();
  browser = await launch();
  await openDoor();
});

after(async () => {
  stub.close();
  await door?.stop();
  await browser?.close();
  site?.close();
  await cluster?.stop();
});

/** `certificate`: --self-signed, or files. */
async function openDoor(certificate = ['--self-signed'], drainS = 60) {
  door = new Door([
    '--listen', `127.0.0.1:${ports.door}`, '--metrics', `127.0.0.1:${ports.doorAdmin}`, '--drain-s', String(drainS), ...certificate,
    '--door-key', join(cluster.folder, 'secrets/door.key'),
    '--gateway', `127.0.0.1:${ports.gateway}=127.0.0.1:${ports.listener}`,
    '--gateway', `127.0.0.1:${stub.address().port}=127.0.0.1:${stub.address().port}`,
  ]);
  const said = await door.ready();
  hash = said['certificate for development made']?.sha256 ?? hash;
}

/** A certificate and its key in files, as an authority would give them. */
function writeCertificate() {
  const [cert, key] = ['chain.pem', 'key.pem'].map((name) => join(cluster.folder, name));
  execFileSync('openssl', [
    'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '10', '-subj', '/CN=door',
    '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert,
  ], { stdio: 'ignore' });
  hash = [...createHash('sha256').update(new X509Certificate(readFileSync(cert)).raw).digest()];
  return ['--cert', cert, '--key', key];
}

async function tab() {
  const page = await browser.newPage();
  await page.goto(site.url);
  return page;
}

/** Joins the world; the session stays in the page's `session`. */
async function enter(page, playerName) {
  const credential = (await readFile(join(cluster.folder, 'secrets/dev_secret'), 'utf8')).trim();
  return page.evaluate(async ({ hash, ports, playerName, credential }) => {
    const { Session, WebTransportPath } = await import('/index.js');
    const serverCertificateHashes = [{ algorithm: 'sha-256', value: new Uint8Array(hash) }];
    const began = performance.now();
    window.session = await Session.join({
      player: { url: `http://127.0.0.1:${ports.login}`, playerName, credential },
      path: (gateway) => new WebTransportPath(`https://127.0.0.1:${ports.door}/relay`, gateway, { serverCertificateHashes }),
      timeoutMs: 60_000,
    });
    return performance.now() - began;
  }, { hash, ports, playerName, credential });
}

/** Walks ahead until the avatar is some metres away. */
const walk = (page, metres) =>
  page.evaluate(async (metres) => {
    let start;
    const end = performance.now() + 60_000;
    for (;;) {
      const now = performance.now();
      const { own } = window.session.frame(now, { forward: 1 }); // none while it connects again
      const [x, , z] = own?.localPositionM ?? start ?? [0, 0, 0];
      start ??= own && [x, 0, z];
      const walkedM = start ? Math.hypot(x - start[0], z - start[2]) : 0;
      if (walkedM >= metres || now > end) return { walkedM, ...window.session.client.telemetry() };
      await new Promise((resolve) => setTimeout(resolve, 16));
    }
  }, metres);

/** Opens a bare session, sends one datagram, and returns why that was impossible. */
const request = (page, query) =>
  page.evaluate(async ({ hash, ports, query }) => {
    const serverCertificateHashes = [{ algorithm: 'sha-256', value: new Uint8Array(hash) }];
    window.bare = new WebTransport(`https://127.0.0.1:${ports.door}/relay?${query}`, { serverCertificateHashes });
    window.bare.closed.catch(() => {});
    try {
      await window.bare.ready;
      window.writer = window.bare.datagrams.writable.getWriter();
      await window.writer.write(new Uint8Array([1, 2, 3]));
      return '';
    } catch (error) {
      return String(error);
    }
  }, { hash, ports, query });

const refused = (reason) => metric(ports.doorAdmin, `perigee_door_refusals_total{reason="${reason}"}`);
const dropped = (reason) => metric(ports.gatewayAdmin, `perigee_gateway_drops_total{reason="${reason}"}`);
const packets = (direction) => metric(ports.gatewayAdmin, `perigee_gateway_packets_total{direction="${direction}"}`);

test('two players join, walk, and leave through the door', async () => {
  const pages = [await tab(), await tab()];
  for (const [i, page] of pages.entries()) {
    console.log(`joined in ${(await enter(page, `Ada${i}`)).toFixed(0)} ms`);
  }
  for (const { walkedM, corrections, rttMs } of await Promise.all(pages.map((page) => walk(page, 5)))) {
    console.log(`walked ${walkedM.toFixed(1)} m, ${corrections} corrections, rtt ${rttMs.toFixed(1)} ms`);
    assert.ok(walkedM >= 5);
  }
  assert.equal(await metric(ports.doorAdmin, 'perigee_door_sessions'), 2);
  assert.equal(await metric(ports.gatewayAdmin, 'perigee_gateway_sessions_playing'), 2);
  const carried = { up: await packets('door_in'), down: await packets('door_out') };
  console.log(`datagrams: ${JSON.stringify(carried)}`);
  assert.ok(carried.up > 50 && carried.down > 50);
  assert.equal(await packets('client_in'), 0);
  assert.equal(await packets('client_out'), 0);
  for (const reason of ['door_header_malformed', 'door_header_forged', 'unknown_source']) assert.equal(await dropped(reason), 0);
  for (const page of pages) await page.evaluate(() => window.session.leave());
  await comes('the gateway has no sessions', async () => (await metric(ports.gatewayAdmin, 'perigee_gateway_sessions')) === 0);
  assert.equal(await metric(ports.gatewayAdmin, 'perigee_gateway_session_events_total{event="left"}'), 2, 'goodbyes arrive');
  await comes('the door has no sessions', async () => (await metric(ports.doorAdmin, 'perigee_door_sessions')) === 0);
  for (const page of pages) await page.close();
});

test('the header has the address of the browser', async () => {
  const page = await tab();
  assert.equal(await request(page, `gateway=127.0.0.1:${stub.address().port}`), '');
  const { bytes, from } = await comes('a datagram for the gateway', async () => {
    await page.evaluate(() => window.writer.write(new Uint8Array([1, 2, 3])));
    return stubbed.at(-1);
  });
  assert.deepEqual([...bytes.subarray(headerBytes)], [1, 2, 3]);
  assert.deepEqual([...bytes.subarray(0, 17)], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1]);
  const port = bytes.readUInt16BE(17);
  assert.notEqual(port, from.port);
  const sockets = (await readFile('/proc/net/udp', 'utf8')) + (await readFile('/proc/net/udp6', 'utf8'));
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  assert.match(sockets, new RegExp(`:${hex} `), 'a socket of this machine has that port');
  stub.send(bytes.subarray(headerBytes), from.port, from.address);
  assert.deepEqual(await page.evaluate(async () => [...(await window.bare.datagrams.readable.getReader().read()).value]), [1, 2, 3]);
  await page.close();
});

test('other gateways and other paths are refused', async () => {
  const page = await tab();
  for (const [query, reason] of [['gateway=127.0.0.1:9', 'gateway'], ['gateway=example.org:80', 'gateway'], ['', 'gateway']]) {
    const before = await refused(reason);
    assert.notEqual(await request(page, query), '', query);
    await comes(query, async () => (await refused(reason)) === before + 1);
  }
  await page.close();
});

test('the gateway drops datagrams that no door has sealed', async () => {
  const socket = createSocket('udp4');
  const send = (bytes) => socket.send(bytes, ports.listener, '127.0.0.1');
  const sealed = stubbed.at(-1).bytes; // for another sender
  const cases = { door_header_forged: sealed, door_header_malformed: Buffer.alloc(20, 1) };
  for (const [reason, bytes] of Object.entries(cases)) {
    await comes(reason, async () => {
      send(bytes);
      return (await dropped(reason)) > 0;
    });
  }
  socket.close();
});

test('a door that drains lets its players play on, and takes no others', async () => {
  const [page, late] = [await tab(), await tab()];
  await enter(page, 'Bob');
  door.signal('SIGTERM');
  await comes('not ready', async () => (await fetch(`http://127.0.0.1:${ports.doorAdmin}/ready`)).status === 503);
  assert.notEqual(await request(late, `gateway=127.0.0.1:${ports.gateway}`), '');
  assert.ok((await refused('draining')) > 0);
  assert.ok((await walk(page, 3)).walkedM >= 3);
  await page.evaluate(() => window.session.leave());
  assert.equal(await door.ended, 0);
  await page.close();
  await late.close();
});

test('players outlive the restart of a door, and a new certificate', async () => {
  await openDoor(writeCertificate());
  const page = await tab();
  await enter(page, 'Cid');
  door.signal('SIGKILL');
  await door.ended;
  await openDoor(['--cert', join(cluster.folder, 'chain.pem'), '--key', join(cluster.folder, 'key.pem')]);
  await comes('the player is back', async () => {
    await walk(page, 0.5);
    return (await metric(ports.doorAdmin, 'perigee_door_datagrams_total{direction="to_player"}')) > 50;
  });
  assert.ok((await walk(page, 3)).walkedM >= 3);
  const late = await tab();
  writeCertificate();
  await comes('the new certificate is read', () => door.output.includes('"certificate reloaded"'));
  await enter(late, 'Dora');
  door.signal('SIGHUP');
  await comes('both are read again', () => door.output.includes('certificate and key reloaded'));
  assert.ok((await walk(page, 3)).walkedM >= 3, 'the older session goes on');
  assert.equal(await metric(ports.gatewayAdmin, 'perigee_gateway_session_events_total{event="timed_out"}'), 0);
  for (const one of [page, late]) await one.evaluate(() => window.session.leave());
});

test('a drain has an end', async () => {
  await door.stop();
  await openDoor(['--self-signed'], 0);
  const page = await tab();
  assert.equal(await request(page, `gateway=127.0.0.1:${stub.address().port}`), '');
  door.signal('SIGTERM');
  assert.equal(await door.ended, 0);
  assert.match(await page.evaluate(() => window.bare.closed.catch(String)), /lost/i);
});

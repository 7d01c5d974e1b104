import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { failure, perigee } from './package.mjs';

const { logIn, LogInError, Session } = perigee;
const ada = { playerName: 'Ada', credential: 'secret', wireVersion: 9, schemaHash: 0xffff_ffff_ffff_fffen };

/** Logs in at a server that answers this; returns the outcome, and what the server received. */
async function loggedIn(status, answer, headers = {}, request = ada) {
  const received = {};
  const server = createServer((asked, response) => {
    let body = '';
    asked.on('data', (part) => (body += part));
    asked.on('end', () => {
      Object.assign(received, { method: asked.method, url: asked.url, type: asked.headers['content-type'], body });
      response.writeHead(status, headers).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  try {
    const [outcome] = await Promise.allSettled([
      request instanceof Function ? request(url) : logIn(url, request),
    ]);
    return { ...outcome, received };
  } finally {
    server.close();
  }
}
const refused = (code, status, message) => ({ error: { code, status, message } });

test('a log-in is one message of proto3 in JSON', async () => {
  const token = Buffer.alloc(2048, 0xfb);
  const { value, received } = await loggedIn(200, {
    connectToken: token.toString('base64'), clientId: '18446744073709551615',
    gatewayAddress: '127.0.0.1:40000', tickRateHz: 60,
  });
  assert.deepEqual(received, {
    method: 'POST', url: '/v1/log_in', type: 'application/json',
    body: '{"playerName":"Ada","credential":"secret","wireVersion":9,"schemaHash":"18446744073709551614"}',
  });
  assert.deepEqual(Buffer.from(value.connectToken), token);
  assert.equal(value.clientId, 18446744073709551615n);
  assert.equal(value.gatewayAddress, '127.0.0.1:40000');
  assert.equal(value.tickRateHz, 60);
  const region = await loggedIn(200, { connectToken: 'AAAA' }, {}, { ...ada, wantedRegion: 3 });
  assert.equal(JSON.parse(region.received.body).wantedRegion, 3);
  assert.equal(region.value.tickRateHz, 0, 'proto3 leaves out what is 0');
});

test('a log-in may have headers for what is before the service', async () => {
  let authorization;
  const server = createServer((asked, response) => {
    ({ authorization } = asked.headers);
    response.end('{"connectToken":"AAAA"}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await logIn(`http://127.0.0.1:${server.address().port}`, ada, { headers: { authorization: 'Bearer x' } });
  server.close();
  assert.equal(authorization, 'Bearer x');
});

test('a refusal keeps the sentence of the service, and when to try again', async () => {
  const { reason } = await loggedIn(
    429, refused(429, 'RESOURCE_EXHAUSTED', 'too many log-ins; try again in 7 s'), { 'retry-after': '7' },
  );
  assert.ok(reason instanceof LogInError);
  assert.equal(reason.message, 'too many log-ins; try again in 7 s');
  assert.deepEqual(
    [reason.fault, reason.status, reason.httpStatus, reason.retryAfterS, reason.otherVersion],
    ['log-in', 'RESOURCE_EXHAUSTED', 429, 7, false],
  );
  const wrong = (await loggedIn(401, refused(401, 'UNAUTHENTICATED', 'wrong credential'))).reason;
  assert.deepEqual([wrong.message, wrong.status, wrong.retryAfterS], ['wrong credential', 'UNAUTHENTICATED', undefined]);
});

test('a module of another version than the server is told what to do', async () => {
  const sentence = 'this client speaks wire version 8, the server 9: update the older of the two';
  const { reason } = await loggedIn(400, refused(400, 'FAILED_PRECONDITION', sentence), {}, (url) =>
    Session.join({ player: { url, ...ada }, path: 'ws://127.0.0.1/relay' }),
  );
  assert.equal(reason.otherVersion, true);
  assert.ok(reason.message.startsWith(`${sentence} (`), reason.message);
  assert.match(reason.message, /load the page again, or build the module/);
});

test('answers of something else than the service are errors in a sentence, too', async () => {
  const proxy = (await loggedIn(502, '<html>bad gateway')).reason;
  assert.match(proxy.message, /127.0.0.1:\d+ answers the log-in with 502 Bad Gateway/);
  assert.deepEqual([proxy.status, proxy.httpStatus], ['', 502]);
  for (const answer of ['hello', '[]', {}, { connectToken: 5 }, { connectToken: '&' }, { connectToken: 'AAAA', clientId: 'x' }]) {
    const { reason } = await loggedIn(200, answer);
    assert.match(reason.message, /answers is no log-in/, JSON.stringify(answer));
  }
});

test('a service that does not answer is named', async () => {
  await assert.rejects(
    logIn('http://127.0.0.1:1', ada), failure('log-in', /http:\/\/127.0.0.1:1 does not answer the log-in/),
  );
  const signal = AbortSignal.timeout(50);
  const silent = createServer(() => {});
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  try {
    await assert.rejects(
      logIn(`http://127.0.0.1:${silent.address().port}`, ada, { signal }), failure('log-in', /does not answer.*timeout/),
    );
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

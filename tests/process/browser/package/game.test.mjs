import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { failure, perigee } from './package.mjs';
import { smallModule } from './small_module.mjs';

const { Game, skiffUrl } = perigee;

/** Serves this answer to everything while use(url) runs. */
async function served(answer, use) {
  const server = createServer((_, response) => answer(response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}/skiff.wasm`);
  } finally {
    server.close();
  }
}

test('a game is loaded from a file, from bytes, and from a server that names its type or does not', async () => {
  const bytes = await readFile(skiffUrl);
  const { wireVersion } = await Game.load();
  assert.ok(wireVersion > 0);
  assert.equal((await Game.load(bytes)).wireVersion, wireVersion);
  assert.equal((await Game.load(new WebAssembly.Module(bytes))).wireVersion, wireVersion);
  for (const type of ['application/wasm', 'application/octet-stream']) {
    await served(
      (response) => response.writeHead(200, { 'content-type': type }).end(bytes),
      async (url) => {
        assert.equal((await Game.load(url)).wireVersion, wireVersion);
        assert.equal((await Game.load(await fetch(url))).wireVersion, wireVersion);
      },
    );
  }
});

test('a missing or broken module is named with the reason', async () => {
  await served(
    (response) => response.writeHead(404).end(),
    (url) => assert.rejects(Game.load(url), failure('module-missing', /skiff.wasm: the server answers 404/)),
  );
  await served(
    (response) => response.end('<html>'),
    (url) => assert.rejects(Game.load(url), failure('module-missing', /cannot be loaded from http/)),
  );
  await assert.rejects(
    Game.load(new URL('none.wasm', skiffUrl)), failure('module-missing', /none.wasm: ENOENT/),
  );
});

test('a browser without WebAssembly is told so', async () => {
  const { WebAssembly } = globalThis;
  globalThis.WebAssembly = undefined;
  try {
    await assert.rejects(Game.load(), failure('no-webassembly', /this browser has no WebAssembly/));
  } finally {
    globalThis.WebAssembly = WebAssembly;
  }
});

test('a module of another version of the interface is refused', async () => {
  await assert.rejects(Game.load(smallModule({ abi: 2 })), failure('other-abi', /has version 2 .*has version 1/));
});

test('a module that is no client, or wants more of the page, is refused', async () => {
  await assert.rejects(
    Game.load(smallModule({ without: 'perigee_client_cells' })),
    failure('module-missing', /does not export perigee_client_cells/),
  );
  await assert.rejects(
    Game.load(smallModule({ without: 'malloc' })), failure('module-missing', /does not export malloc/),
  );
  await assert.rejects(
    Game.load(smallModule({ imported: 'path_open' })), failure('module-missing', /imports path_open/),
  );
});

test('a failed assertion becomes an error with its text, and so does every later call', async () => {
  const lastWords = "world.cpp:0: assertion 'tick > 0' failed: ticks begin at 1\n";
  const game = await Game.load(smallModule({ lastWords }));
  const print = console.error;
  const printed = [];
  console.error = (line) => printed.push(line);
  try {
    assert.throws(() => game.createClient(), failure('stopped', /because of a bug: world.cpp.*ticks begin at 1/));
  } finally {
    console.error = print;
  }
  assert.deepEqual(printed, [lastWords.trim()]);
  assert.throws(() => game.wireVersion, failure('stopped', /ticks begin at 1/));
});

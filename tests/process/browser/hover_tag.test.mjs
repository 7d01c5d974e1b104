// A player in hover tag's page, beside bots.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch } from '../../console/browser.mjs';
import { Cluster } from '../../console/cluster.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { HOVER_TAG_PLUGIN: game, HOVER_TAG_BOTS: botsProgram, HOVER_TAG_MODULE: module, PERIGEE_SHOTS: shots } = process.env;
const waitMs = 120_000;
const pageOffset = 185;
let cluster, browser;
const children = [];

function start(program, ...words) {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

/** The page, for a console at that port. */
async function serve(offset, consolePort) {
  const token = join(cluster.folder, 'secrets/console_token');
  const game = join(root, 'examples/hover_tag');
  const files = [join(game, 'web'), module, join(game, 'arena.gltf')];
  const server = start(process.execPath, join(root, 'client/browser/serve.mjs'), String(cluster.base + offset), String(consolePort), token, ...files);
  await new Promise((resolve) => server.stdout.once('data', resolve));
}

before(async () => {
  cluster = await Cluster.start({ game });
  const session = ['--session', `127.0.0.1:${cluster.base + 10}`, '--state-dir', cluster.folder];
  start(botsProgram, ...session, '--count', '7', '--seconds', '250', '--profile', 'P1', '--json');
  await serve(pageOffset, cluster.base + 180);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const child of children) child.kill();
  await cluster?.stop();
});

test('a player runs among the bots, and sees time, scores and torches', async () => {
  const url = `http://127.0.0.1:${cluster.base + pageOffset}`;
  const tab = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  tab.setDefaultTimeout(waitMs);
  const complaints = [];
  tab.on('pageerror', (error) => complaints.push(String(error)));
  tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await tab.goto(url);
  await tab.locator('input').fill('Ada');
  await tab.locator('button').click();
  await tab.locator('#scores tr.own', { hasText: 'Ada' }).waitFor();
  await tab.locator('#own', { hasText: /Ada, (orange|blue): / }).waitFor();
  await tab.locator('#career', { hasText: '0 matches, 0 wins' }).waitFor();
  assert.match(await tab.locator('#left').textContent(), /^[0-3]:[0-5]\d$/);
  await tab.waitForFunction(() => document.querySelectorAll('#scores tr').length >= 9); // 7 bots, Ada, a head

  const place = () => tab.evaluate(() => globalThis.hover.own.at);
  const [x, , z] = await place();
  await tab.keyboard.down(z > 0 ? 'KeyW' : 'KeyS');
  await tab.waitForFunction(([fromX, fromZ]) => {
    const [a, , b] = globalThis.hover.own.at;
    return Math.hypot(a - fromX, b - fromZ) > 12;
  }, [x, z]);
  await tab.keyboard.up(z > 0 ? 'KeyW' : 'KeyS');
  await tab.locator('#scores tr.torch').first().waitFor();
  if (shots) {
    await mkdir(shots, { recursive: true });
    await tab.screenshot({ path: join(shots, 'hover_tag.png') });
  }
  assert.deepEqual(complaints, []);

  const refused = await fetch(`${url}/v1/log_in`, { method: 'POST', headers: { origin: 'http://elsewhere.example' }, body: '{}' });
  assert.equal(refused.status, 403);
  await tab.close();
});

test('without a cluster the page says so', async () => {
  const tab = await browser.newPage();
  await serve(pageOffset + 1, 9);
  await tab.goto(`http://127.0.0.1:${cluster.base + pageOffset + 1}`);
  await tab.locator('input').fill('Ada');
  await tab.locator('button').click();
  await tab.locator('#problem', { hasText: /502|console does not answer/ }).waitFor({ timeout: waitMs });
  await tab.close();
});

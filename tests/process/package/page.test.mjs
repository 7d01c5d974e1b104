// A player in the page of the template, beside bots: PAGE is its address.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { launch } from '../../console/browser.mjs';

const { PAGE: page, PERIGEE_SHOTS: shots } = process.env;
const waitMs = 120_000;
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test('a player walks, jumps and runs a lap, and sees the others', async () => {
  const tab = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  tab.setDefaultTimeout(waitMs);
  const complaints = [];
  tab.on('pageerror', (error) => complaints.push(String(error)));
  tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await tab.goto(page);
  await tab.locator('input').fill('Ada');
  await tab.locator('button').click();
  await tab.locator('#players tr.own', { hasText: 'Ada' }).waitFor();
  await tab.locator('#players td', { hasText: /^bot-\d+$/ }).first().waitFor();
  await tab.locator('#names span', { hasText: /^bot-\d+$/ }).first().waitFor();
  await tab.locator('#own', { hasText: /^Ada at -?\d/ }).waitFor();

  // Keys by the page itself: on a busy machine a key that the test releases comes metres later, and the floor ends.
  const hold = (code, axis, sign, beyond) =>
    tab.evaluate(([key, i, way, limit]) => new Promise((done) => {
      const press = (kind) => document.body.dispatchEvent(new KeyboardEvent(kind, { code: key, bubbles: true }));
      press('keydown');
      const look = () => {
        if (way * globalThis.game.own.at[i] < way * limit) return requestAnimationFrame(look);
        press('keyup');
        done();
      };
      look();
    }), [code, axis, sign, beyond]);
  const [x, y, z] = await tab.evaluate(() => globalThis.game.own.at);
  await tab.keyboard.press('KeyD', { delay: 200 }); // towards -x while the player looks along +z
  await tab.waitForFunction((from) => globalThis.game.own.at[0] < from - 0.3, x);
  await hold('KeyD', 0, -1, -6); // beside the stairs, whose back is a wall
  await hold('Space', 1, 1, y + 0.3);
  await hold('KeyW', 2, 1, z + 3);
  if (shots) {
    await mkdir(shots, { recursive: true });
    await tab.screenshot({ path: join(shots, 'new_game.png') });
  }
  await hold('KeyW', 2, 1, 15.2);
  await hold('KeyS', 2, -1, -15.2);
  await tab.locator('#players tr.own td:last-child', { hasText: /^1$/ }).waitFor();
  await tab.keyboard.down('ArrowLeft');
  await tab.waitForFunction(() => globalThis.game.controls.yawRad > Math.PI / 3);
  await tab.keyboard.up('ArrowLeft');
  assert.deepEqual(complaints, []);
  await tab.close();
});

test('files beside the page are not served, and pages elsewhere cannot log in', async () => {
  for (const path of ['..%2fgame.cpp', '../game.cpp', 'shapes.cpp', 'perigee/', '.gitignore']) {
    assert.equal((await fetch(new URL(path, page))).status, 404, path);
  }
  const refused = await fetch(new URL('v1/log_in', page), { method: 'POST', headers: { origin: 'http://elsewhere.example' }, body: '{}' });
  assert.equal(refused.status, 403);
});

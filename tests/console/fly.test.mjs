// The cockpit: a player in a real browser, over a real cluster.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, open, told, until } from './browser.mjs';
import { Cluster } from './cluster.mjs';
import { inputToEye, join } from './cockpit.mjs';

let cluster, browser, tab;
before(async () => {
  cluster = await Cluster.start({ bots: 6 });
  browser = await launch();
  tab = await open(browser, cluster, '/fly');
});
after(async () => {
  await browser?.close();
  await cluster?.stop();
});

test('the token leaves the address bar, and a player joins', async () => {
  assert.ok(!tab.url().includes('token'), tab.url());
  await join(tab, 'Ada');
  await until(tab, ({ fly }) => fly.scene.types.station >= 1 && fly.scene.types.character >= 2);
  const { fly } = await told(tab);
  assert.equal(fly.playerName, 'Ada');
  assert.ok(fly.frameMs.wasmP50 > 0);
});

test('at 300 ms a key is seen at once with prediction, and a round trip later without', async () => {
  await tab.locator('link-panel #ping').fill('300');
  await until(tab, ({ fly }) => fly.link === 'delay-ms=150' && fly.telemetry.rttMs > 250);
  await tab.keyboard.press('Digit1');
  await until(tab, ({ fly }) => fly.techniques.includes('prediction=off'));
  await tab.locator('techniques-panel cmd-line', { hasText: /\.\/perigee ctl techniques Ada prediction=off/ }).waitFor();
  const without = await inputToEye(tab, 2);
  await tab.keyboard.press('Digit1');
  await until(tab, ({ fly }) => fly.techniques.length === 0);
  const predicted = await inputToEye(tab, 2);
  console.log(`input to eye at 300 ms: ${predicted.toFixed(0)} ms predicted, ${without.toFixed(0)} ms without`);
  assert.ok(without > 300, `${without} ms without prediction`);
  assert.ok(predicted < without, `${predicted} ms predicted, ${without} ms without`);
  assert.match(await tab.locator('net-panel #eye').innerText(), /\d/);
  await tab.locator('link-panel button', { hasText: 'none' }).click();
  await until(tab, ({ fly }) => fly.link === 'none');
});

test('E moves the prediction, and the correction has a green outline', async () => {
  const { fly: before } = await told(tab);
  await tab.keyboard.press('KeyE');
  await until(tab, ({ fly }) => fly.outlinedFrames > before.outlinedFrames);
  const { fly } = await until(tab, ({ fly }) => fly.telemetry.corrections > before.telemetry.corrections);
  assert.ok(Math.abs(fly.telemetry.largestCorrectionM - 0.5) < 0.2, `${fly.telemetry.largestCorrectionM} m`);
});

test('the split screen shows what the workers have', async () => {
  await tab.keyboard.press('KeyT');
  const { fly } = await until(tab, ({ fly }) => fly.split && fly.truth.entities > 50 && fly.truth.ownPositionM);
  const { own, truth } = fly;
  const apartM = Math.hypot(...own.positionM.map((side, i) => side - truth.ownPositionM[i]));
  assert.ok(apartM < 30, `the server has the avatar ${apartM} m away`);
  await tab.keyboard.press('KeyT');
});

test('the worker below the player dies, and play goes on', async () => {
  await tab.locator('failover-panel .tag.good').waitFor(); // the standby is in sync
  await tab.keyboard.press('KeyK');
  const dialog = tab.locator('confirm-act dialog');
  await dialog.locator('cmd-line', { hasText: /\.\/perigee ctl kill sim-[01]/ }).waitFor();
  await dialog.locator('#yes').click();
  const { fly } = await until(tab, ({ fly }) => fly.gap?.healed);
  const { gap, state } = fly;
  console.log(`${gap.worker} died, ${gap.successor} took over: ${gap.ms.toFixed(0)} ms without the server's answers`);
  assert.notEqual(gap.worker, gap.successor);
  assert.ok(gap.ms > 0 && gap.ms < 20_000, `${gap.ms} ms`);
  assert.equal(state, 'playing');
  await inputToEye(tab, 1);
});

test('nothing has gone wrong in the page', () => assert.deepEqual(tab.complaints, []));

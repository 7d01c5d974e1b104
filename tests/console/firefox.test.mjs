// The cockpit in Firefox: joins, walks, and has the same world as Chromium's players.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { keep, until } from './browser.mjs';
import { Cluster } from './cluster.mjs';
import { desync, drawNextOutline, inputToEye, ping, toggle } from './cockpit.mjs';
import { launch, open } from './firefox.mjs';

describe('Firefox', () => {
  let cluster, started, tab;
  before(async () => {
    cluster = await Cluster.start({ bots: 6 });
    started = await launch();
    tab = await open(started.browser, cluster, '/fly');
  });
  after(async () => {
    await started?.end();
    await cluster?.stop();
  });

  test('a player joins', async () => {
    await tab.locator('>>> #name').fill('Katherine');
    await tab.locator('>>> #join').click();
    await until(tab, ({ fly }) => fly?.state === 'playing' && fly.own !== undefined && fly.scene.types.character >= 2);
    await keep(tab, 'firefox_joined');
  });

  test('at 300 ms a key is seen at once with prediction, and a round trip later without', async () => {
    await ping(tab, 300);
    await toggle(tab, 1, 'prediction=off');
    const without = await inputToEye(tab, 2);
    await toggle(tab, 1, 'prediction=off');
    const predicted = await inputToEye(tab, 2);
    console.log(`input to eye at 300 ms in Firefox: ${predicted.toFixed(0)} ms predicted, ${without.toFixed(0)} ms without`);
    assert.ok(without > 300 && predicted < without / 2, `${predicted} ms predicted, ${without} ms without`);
    await ping(tab, 0);
  });

  test('E moves the prediction, and the correction has a green outline', async () => {
    await drawNextOutline(tab);
    const { fly } = await desync(tab, 'KeyE');
    await keep(tab, 'firefox_desync', true);
    assert.ok(Math.abs(fly.telemetry.largestCorrectionM - 0.5) < 0.2, `${fly.telemetry.largestCorrectionM} m`);
  });

  test('nothing has gone wrong in the page', () => assert.deepEqual(tab.complaints, []));
});

// The map of the world, and acts from it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { keep, open, told, until } from './browser.mjs';
import { fakeCrowd } from './crowd.mjs';
import { shared } from './shared.mjs';

describe('World', () => {
  let cluster, browser, tab;
  before(async () => {
    ({ cluster, browser } = await shared());
    tab = await open(browser, cluster, '/world');
  });
  after(() => tab?.close());

  test('regions, entities and players are on the map', async () => {
    await until(tab, ({ world }) => world?.regions >= 2 && world.workers === 2 && world.entities > 80 && world.players === 6);
    assert.equal(await tab.locator('worker-list button').count(), 2);
    await keep(tab, 'world');
  });

  test('the page has not loaded the game', async () => {
    const loaded = await tab.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    assert.ok(loaded.some((name) => name.includes('three')), loaded.join(' '));
    assert.ok(!loaded.some((name) => /wasm|fly_page/.test(name)), loaded.join(' '));
  });

  test('a region is split after a confirmation', async () => {
    const { regions } = (await told(tab)).world;
    await tab.locator('world-page .regions button').first().click();
    await until(tab, ({ world }) => world.selected.startsWith('region'));
    await tab.locator('detail-panel act-button button.act', { hasText: 'Split' }).click();
    const dialog = tab.locator('confirm-act dialog');
    await dialog.locator('cmd-line', { hasText: /\.\/perigee ctl split \d+/ }).waitFor();
    await dialog.locator('#yes').click();
    await until(tab, ({ world }) => world.regions > regions);
  });

  test('the act is in the audit log', async () => {
    await tab.goto(`${cluster.page}#/incidents`);
    await tab.locator('incidents-page td', { hasText: 'split region' }).first().waitFor();
  });

  test('ten thousand moving entities are drawn', async () => {
    const crowd = await browser.newPage({ viewport: { width: 1000, height: 640 } });
    await crowd.addInitScript(fakeCrowd, 10_000);
    await crowd.goto(`${cluster.page}#/world`);
    await until(crowd, ({ world }) => world?.entities === 10_000);
    await sleep(5000);
    const { world } = await told(crowd);
    console.log(`10,000 entities: JavaScript of a frame ${world.frameMs.p50.toFixed(1)} ms, p99 ${world.frameMs.p99.toFixed(1)} ms`);
    assert.equal(world.entities, 10_000);
    assert.equal(world.regions, 2);
    await crowd.close();
  });

  test('nothing has gone wrong in the page', () => assert.deepEqual(tab.complaints, []));
});

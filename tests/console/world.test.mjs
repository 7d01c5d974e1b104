// The map of the world, and acts from it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, open, told, until } from './browser.mjs';
import { Cluster } from './cluster.mjs';

let cluster, browser, tab;
before(async () => {
  cluster = await Cluster.start({ bots: 6 });
  browser = await launch();
  tab = await open(browser, cluster, '/world');
});
after(async () => {
  await browser?.close();
  await cluster?.stop();
});

test('regions, entities and players are on the map', async () => {
  await until(tab, ({ world }) => world?.regions >= 2 && world.workers === 2 && world.entities > 80 && world.players === 6);
  assert.equal(await tab.locator('worker-list button').count(), 2);
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

test('nothing has gone wrong in the page', () => assert.deepEqual(tab.complaints, []));

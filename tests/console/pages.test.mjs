// Pages that only look, lost connections, and browsers that lack something.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { launch, open, until } from './browser.mjs';
import { tokenOf } from './cluster.mjs';
import { shared } from './shared.mjs';

describe('Pages', () => {
  let cluster, browser;
  before(async () => {
    ({ cluster, browser } = await shared());
  });

  test('without the token a page looks, and says how to act', async () => {
    const tab = await open(browser, cluster, '/players', { token: false });
    await tab.locator('players-page tr.row', { hasText: /bot-3.*\d ms/s }).waitFor(); // with figures of its gateway
    const kick = tab.locator('players-page act-button button.act').first();
    assert.equal(await kick.isDisabled(), true);
    assert.match(await kick.getAttribute('title'), /open the address that perigee-console prints/);
    await tab.goto(`${cluster.page}#/fly`);
    await tab.locator('fly-page .why', { hasText: 'To act, open the address' }).waitFor();
    assert.equal(await tab.locator('#join').isDisabled(), true);
    await tab.close();
  });

  test('an operator has the buttons of the own scopes alone', async () => {
    const enabled = 'button.act:not([disabled])';
    const disabled = (why) => `button.act[disabled][title="${why}"]`;
    const needsMap = 'This needs the scope map; alice has the scope players.';
    const needsPlayers = 'This needs the scope players; bob has the scope map.';
    const look = async (where, token, check) => {
      const tab = await open(browser, cluster, where, { token });
      await check(tab);
      await tab.close();
    };
    const kickIs = (button) => (tab) => tab.locator('players-page act-button').locator(button).first().waitFor();
    const drainIs = (button) => async (tab) => {
      await until(tab, ({ world }) => world?.workers === 2 && world.entities > 80);
      await tab.locator('worker-list button').first().click();
      await tab.locator('detail-panel act-button', { hasText: 'Drain' }).locator(button).first().waitFor();
    };
    await look('/players', tokenOf.players, kickIs(enabled));
    await look('/world', tokenOf.players, drainIs(disabled(needsMap)));
    await look('/players', tokenOf.map, kickIs(disabled(needsPlayers)));
    await look('/world', tokenOf.map, drainIs(enabled));
    await look('/fly', tokenOf.map, async (tab) => {
      await tab.locator('fly-page .why', { hasText: needsPlayers }).waitFor();
      assert.equal(await tab.locator('#join').isDisabled(), true);
    });
  });

  test('a player is kicked from the table', async () => {
    const tab = await open(browser, cluster, '/players');
    const row = tab.locator('players-page tr.row', { hasText: 'bot-2' });
    await row.locator('act-button button.act').click();
    await tab.locator('confirm-act cmd-line', { hasText: /\.\/perigee ctl kick '#\d+'/ }).waitFor();
    await tab.locator('confirm-act #yes').click();
    await tab.locator('toast-list div', { hasText: 'Kick: done' }).waitFor();
    await tab.close();
  });

  test('dashboards and the ladder say that there is no Prometheus', async () => {
    const tab = await open(browser, cluster, '/dashboards');
    await tab.locator('dashboards-page .unanswered', { hasText: 'no Prometheus is configured' }).waitFor();
    assert.ok((await tab.locator('board-panel').count()) > 10);
    await tab.goto(`${cluster.page}#/ladder`);
    await tab.locator('ladder-page p', { hasText: 'no Prometheus is configured' }).waitFor();
    await tab.close();
  });

  test('a browser without WebGL is told so, and has the tables', async () => {
    const plain = await launch({ noWebGl: true });
    try {
      const tab = await open(plain, cluster, '/world');
      await tab.locator('world-page .notice', { hasText: 'This browser has no WebGL 2' }).waitFor();
      assert.equal(await tab.locator('worker-list button').count(), 2);
      await tab.goto(`${cluster.page}#/fly`);
      await tab.locator('fly-page .why', { hasText: 'This browser has no WebGL 2' }).waitFor();
    } finally {
      await plain.close();
    }
  });

  test('a lost console is announced, and the page returns to it by itself', async () => {
    const tab = await open(browser, cluster, '/players');
    await until(tab, ({ live }) => live.state === 'open');
    const restarted = cluster.restartConsole();
    await tab.locator('console-app .banner', { hasText: /does not answer/ }).waitFor();
    await restarted;
    await until(tab, ({ live }) => live.state === 'open');
    await tab.locator('console-app .banner').waitFor({ state: 'detached' });
    await tab.close();
  });
});

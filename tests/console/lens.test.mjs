// The page Lens: a flight in the cockpit, scrubbed to a correction and its cause; other players; files.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { keep, launch, open, told, until } from './browser.mjs';
import { desync, join, ping, toggle } from './cockpit.mjs';
import { shared } from './shared.mjs';

const desyncM = 0.5;

describe('Lens', () => {
  let cluster, browser, tab, folder;

  /** What a click saves: two files for two halves. */
  async function saved(count) {
    const files = [];
    const all = new Promise((resolve) => {
      tab.on('download', async function take(download) {
        files.push(download);
        if (files.length === count) {
          tab.off('download', take);
          resolve();
        }
      });
    });
    await tab.locator('#save').click();
    await all;
    return Promise.all(files.map(async (file) => {
      const to = path(folder, file.suggestedFilename());
      await file.saveAs(to);
      return to;
    }));
  }

  before(async () => {
    folder = await mkdtemp(path(tmpdir(), 'perigee-lens-'));
    ({ cluster, browser } = await shared());
    tab = await open(browser, cluster, '/fly', { width: 1440, height: 900 });
  });
  after(async () => {
    await tab?.close();
    await rm(folder, { recursive: true, force: true });
  });

  let tick;

  test('a flight with a correction stays at hand when the page Lens opens', async () => {
    await join(tab, 'Grace');
    // Wherever regions have been split.
    assert.equal((await told(tab)).fly.own.parentType, 'station');
    const walk = async (key, ms) => {
      await tab.keyboard.down(key);
      await sleep(ms);
      await tab.keyboard.up(key);
    };
    for (const key of ['KeyW', 'KeyA']) await walk(key, 800);
    // Lost inputs: each packet carries one, and many are lost. No storm of corrections hides the prediction.
    await toggle(tab, 5, 'redundancy=none');
    await toggle(tab, 7, 'storm-breaker=off');
    await tab.locator('link-panel #loss').fill('200');
    await until(tab, ({ fly }) => fly.link !== 'none');
    const { fly: before } = await told(tab);
    // Several: one of them may be a collision with a bot.
    const enough = before.telemetry.corrections + 3;
    for (let i = 0; i < 40 && (await told(tab)).fly.telemetry.corrections < enough; ++i) {
      await walk(['KeyW', 'KeyD', 'KeyS', 'KeyA'][i % 4], 700);
    }
    const { fly: lossy } = await told(tab);
    assert.ok(lossy.telemetry.corrections > before.telemetry.corrections,
      `no correction by lost inputs: ${JSON.stringify({ link: lossy.link, own: lossy.own, techniques: lossy.techniques, telemetry: lossy.telemetry })}`);
    await toggle(tab, 5, 'redundancy=none');
    await ping(tab, 0);
    await sleep(1500);
    await desync(tab, 'KeyE');
    await tab.keyboard.press('Digit0');
    await until(tab, ({ fly }) => fly.techniques.length === 0);
    await sleep(1500);
    await tab.keyboard.press('KeyL');
    const { lens } = await until(tab, ({ lens }) => lens?.hasClient && lens.hasServer && lens.corrections.length > 0);
    assert.ok(lens.own && lens.live);
    assert.ok(lens.ticks > 300, `${lens.ticks} ticks`);
    await keep(tab, 'lens_live');
  });

  test('[ scrubs to the correction, and its cause is shown', async () => {
    await tab.keyboard.press('BracketLeft');
    const { lens } = await until(tab, ({ lens }) => !lens.live && lens.chosen?.cause);
    const { chosen } = lens;
    tick = chosen.at;
    console.log(`correction of ${chosen.meters.toFixed(3)} m at tick ${chosen.at}: ${chosen.cause}, the client guessed ${chosen.noted}; report in ${lens.replayMs.toFixed(0)} ms`);
    assert.ok(Math.abs(chosen.meters - desyncM) < 0.2, `${chosen.meters} m`);
    // Nothing that a tick consumed explains it: the key E changed the prediction itself.
    assert.equal(chosen.cause, 'residual');
    assert.ok(chosen.leftM < 0.1, `${chosen.leftM} m remain without it`);
    await tab.locator('correction-panel #cause[data-cause=residual]').waitFor();
    await tab.locator('correction-panel #replayed', { hasText: 'Residual' }).waitFor();
  });

  test('the corrections before it are those of lost inputs', async () => {
    const { lens } = await told(tab);
    const lost = lens.corrections.filter(({ cause }) => cause === 'input_lost' || cause === 'input_late');
    console.log(`${lens.corrections.length} corrections: ${lens.corrections.map(({ cause, meters }) => `${cause} ${meters.toFixed(2)} m`).join(', ')}`);
    assert.ok(lost.length > 0, JSON.stringify(lens.corrections));
    for (let i = 0; i < 40; ++i) {
      const { lens: here } = await told(tab);
      if (here.chosen.cause.startsWith('input_l')) break;
      await tab.keyboard.press('BracketLeft');
    }
    const { lens: there } = await until(tab, ({ lens }) => lens.chosen.cause.startsWith('input_l'));
    assert.ok(there.errorM > 0.01, `${there.errorM} m between the avatars`);
    await tab.locator('correction-panel .difference', { hasText: 'First difference: input.' }).waitFor();
    await keep(tab, 'lens_lost_input');
  });

  test('every recorded tick runs again in the page with the same bits', async () => {
    await until(tab, ({ lens }) => lens.bitsDiffer === 0);
    const badge = tab.locator('.foot .tag', { hasText: 'replayed' });
    await badge.waitFor();
    assert.equal(await badge.innerText(), 'replayed: 0 bits differ');
    await keep(tab, 'lens_correction');
  });

  test('arrow keys move by a tick, and the command lines are shown', async () => {
    const { lens: here } = await told(tab);
    await tab.keyboard.press('ArrowLeft');
    await until(tab, ({ lens }, from) => lens.tick === from - 1, here.tick);
    await tab.locator('flight-timeline #slider').focus();
    await tab.keyboard.press('ArrowRight');
    await until(tab, ({ lens }, from) => lens.tick === from, here.tick);
    await tab.locator('cmd-line', { hasText: /\.\/perigee ctl recording '#\d+'.*\.\/perigee replay/ }).waitFor();
  });

  let halves;

  test('saved recordings open again, with the same correction', async () => {
    halves = (await saved(2)).sort();
    assert.ok(halves[0].endsWith('-client.flight') && halves[1].endsWith('-worker.flight'), halves.join());
    await tab.locator('player-list #file').setInputFiles(halves);
    const { lens } = await until(tab, ({ lens }) => lens.clientId === '' && lens.chosen !== undefined && lens.hasClient && lens.hasServer);
    assert.ok(lens.corrections.some(({ at, cause }) => at === tick && cause === 'residual'), JSON.stringify(lens.corrections));
    assert.equal(lens.bitsDiffer, 0);
    await tab.locator('cmd-line', { hasText: /\.\/perigee replay .*-client\.flight .*-worker\.flight/ }).waitFor();
    await keep(tab, 'lens_files');
  });

  test('the worker\'s half alone shows what the client claimed', async () => {
    await tab.locator('player-list #file').setInputFiles([halves[1]]);
    const { lens } = await until(tab, ({ lens }) => lens.hasServer && !lens.hasClient && lens.chosen !== undefined);
    assert.ok(lens.errorM > 0.05, `${lens.errorM} m`);
    await tab.locator('correction-panel', { hasText: "The cause needs the client's half" }).waitFor();
  });

  test('a file that is no recording is refused with a sentence', async () => {
    const wrong = path(folder, 'wrong.flight');
    await writeFile(wrong, 'no flight');
    await tab.locator('player-list #file').setInputFiles([wrong]);
    await tab.locator('#failure', { hasText: 'not a flight recording' }).waitFor();
    const old = await readFile(halves[0]);
    old[16] = 2;
    await writeFile(wrong, old);
    await tab.locator('player-list #file').setInputFiles([wrong]);
    await tab.locator('#failure', { hasText: 'has version 2' }).waitFor();
    await tab.locator('player-list #file').setInputFiles([halves[0], halves[0]]);
    await tab.locator('#failure', { hasText: 'of the same side' }).waitFor();
    await keep(tab, 'lens_refused');
  });

  test('a bot is recorded, and shown by its claims', async () => {
    const bot = tab.locator('player-list a', { hasText: /^\s*bot-\d/ }).first();
    await bot.click();
    await tab.locator('#record-now').click();
    const { lens } = await until(tab, ({ lens }) => lens.hasServer && !lens.own && lens.ticks > 240);
    assert.ok(!lens.hasClient);
    assert.ok(Number.isFinite(lens.errorM), 'the newest ticks have claims');
    await keep(tab, 'lens_bot');
    await tab.locator('#stop').click();
    await tab.locator('#record').waitFor();
  });

  test('the player goes on where it was', async () => {
    await tab.evaluate(() => (location.hash = '#/fly'));
    const { fly } = await until(tab, ({ fly }) => fly?.state === 'playing' && fly.own !== undefined);
    assert.equal(fly.playerName, 'Grace');
  });

  test('the acts are in the audit log', async () => {
    await tab.goto(`${cluster.page}#/incidents`);
    await tab.getByText('arm recorder').first().waitFor();
  });

  test('without WebGL the paths are flat, and the rest is there', async () => {
    const plain = await launch({ noWebGl: true });
    try {
      const other = await open(plain, cluster, '/lens', { width: 1440, height: 900 });
      await other.locator('player-list #file').setInputFiles(halves);
      await until(other, ({ lens }) => lens?.chosen !== undefined);
      await other.locator('path-view', { hasText: 'the paths are flat' }).waitFor();
      await keep(other, 'lens_flat');
    } finally {
      await plain.close();
    }
  });

  test('nothing has gone wrong in the page', () => assert.deepEqual(tab.complaints, []));
});

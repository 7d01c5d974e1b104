// The cockpit: a player in a real browser, over a real cluster. With PERIGEE_STRICT=1, by hand on a
// machine that does nothing else, the figures are asserted as well.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { keep, keptIn, open, strict, told, until } from './browser.mjs';
import {
  besideM, boards, desync, dig, drawNextOutline, flown, inputToEye, join, land, ping, shoot, stands, steerFor, takeMouse, toggle,
} from './cockpit.mjs';
import { go } from './pilot.mjs';
import { shared } from './shared.mjs';

describe('Fly', () => {
  let cluster, browser, tab;
  before(async () => {
    ({ cluster, browser } = await shared());
    tab = await open(browser, cluster, '/fly');
  });
  after(() => tab?.close());

  test('the token leaves the address bar, and a player joins', async () => {
    assert.ok(!tab.url().includes('token'), tab.url());
    await join(tab, 'Ada');
    await until(tab, ({ fly }) => fly.scene.types.station >= 1 && fly.scene.types.character >= 2);
    const { fly } = await told(tab);
    assert.equal(fly.playerName, 'Ada');
    assert.ok(fly.frameMs.wasmP50 > 0);
    await keep(tab, 'joined');
  });

  test('at 300 ms a key is seen at once with prediction, and a round trip later without', async () => {
    await ping(tab, 300);
    await toggle(tab, 1, 'prediction=off');
    await tab.locator('techniques-panel cmd-line', { hasText: /\.\/perigee ctl techniques Ada prediction=off/ }).waitFor();
    const without = await inputToEye(tab, 2);
    await keep(tab, 'prediction_off');
    await toggle(tab, 1, 'prediction=off');
    const predicted = await inputToEye(tab, 2);
    await keep(tab, 'prediction_on');
    const frameMs = 1000 / (await told(tab)).fly.framesPerSecond;
    console.log(`input to eye at 300 ms: ${predicted.toFixed(0)} ms predicted, ${without.toFixed(0)} ms without; a frame takes ${frameMs.toFixed(0)} ms`);
    assert.ok(without > 300, `${without} ms without prediction`);
    assert.ok(predicted < without / 2, `${predicted} ms predicted, ${without} ms without`);
    if (strict) assert.ok(without < 520 && predicted <= 2 * frameMs + 17, `${predicted} ms predicted, ${without} ms without`);
    assert.match(await tab.locator('net-panel #eye').innerText(), /\d/);
    await ping(tab, 0);
  });

  for (const key of ['KeyE', 'KeyR']) {
    test(`${key} moves the prediction, and the correction has a green outline`, async () => {
      await drawNextOutline(tab);
      const { fly } = await desync(tab, key);
      await keep(tab, `outline_${key}`, true);
      assert.ok(Math.abs(fly.telemetry.largestCorrectionM - 0.5) < 0.2, `${fly.telemetry.largestCorrectionM} m`);
    });
  }

  test('rifle and bow shoot, and the worker confirms the shot', async () => {
    await takeMouse(tab);
    await shoot(tab, 'left', 'shots', 'confirmed');
    await shoot(tab, 'right', 'arrows', 'played');
    await tab.evaluate(() => document.exitPointerLock());
  });

  test('the split screen shows what the workers have', async () => {
    await tab.keyboard.press('KeyT');
    const { fly } = await until(tab, ({ fly }) => fly.split && fly.truth.entities > 50 && fly.truth.ownPositionM);
    const { own, truth } = fly;
    const apartM = Math.hypot(...own.positionM.map((side, i) => side - truth.ownPositionM[i]));
    assert.ok(apartM < 30, `the server has the avatar ${apartM} m away`);
    await keep(tab, 'split_screen');
    await tab.keyboard.press('KeyT');
  });

  test('a cell of the ground is dug, and its stone is placed again', async () => {
    // The west slope of the mound, so that the cell ahead is never lower than the feet. A place that the
    // avatar is in cannot be filled.
    for (const at of [[-54.5, 9, 40], [-54.5, 9, 37], [-55.5, 9, 42]]) {
      await flown(tab, () => land(tab, 'station', at));
      await until(tab, ({ fly }) => fly.solidCells > 0);
      const { solidCells: before } = (await told(tab)).fly;
      assert.ok(await dig(tab, 'KeyG', 'digs'), 'a cell is dug');
      const { fly: { solidCells: dug } } = await until(tab, ({ fly }, was) => fly.solidCells < was, before); // bots may dig, too
      await keep(tab, 'dug');
      if (!(await dig(tab, 'KeyH', 'fills'))) continue;
      await until(tab, ({ fly }, was) => fly.solidCells > was, dug);
      return;
    }
    assert.fail('no stone can be placed');
  });

  test('on a turning deck the avatar stands where the server has it only with relative prediction', async () => {
    await flown(tab, async () => {
      await land(tab, 'gyre', [0, 8, 0]);
      await go(tab, { ship: 'gyre', atM: [0, 0.9, 12], level: true, withinM: 1.2 });
      await stands(tab);
    });
    await ping(tab, 300);
    const before = (await told(tab)).fly.own;
    const relative = await besideM(tab, 'gyre');
    const { own } = (await until(tab, ({ fly }, was) => Math.hypot(...fly.own.positionM.map((side, i) => side - was[i])) > 5, before.positionM)).fly;
    const strayedM = Math.hypot(...own.localM.map((side, i) => side - before.localM[i]));
    await toggle(tab, 2, 'relative-prediction=off');
    await until(tab, ({ fly }) => fly.own.parent === 0);
    const world = await besideM(tab, 'gyre', relative + 0.3);
    console.log(`on a turning deck at 300 ms: ${relative.toFixed(2)} m beside the server's place with relative prediction, ${world.toFixed(2)} m without`);
    assert.ok(strayedM < 0.2, `the avatar has moved ${strayedM} m on the deck`);
    assert.ok(world > relative + 0.3, `${relative} m with, ${world} m without`);
    await keep(tab, 'relative_prediction_off');
    await toggle(tab, 2, 'relative-prediction=off');
    await until(tab, ({ fly }) => fly.own.parentType === 'gyre');
    await ping(tab, 0);
  });

  // After the turning deck: a skiff that is left in flight drifts away from everything.
  test('the player boards a skiff, steers it, and leaves its helm', async () => {
    await flown(tab, () => boards(tab));
    await keep(tab, 'boarded');
    await tab.keyboard.press('KeyF');
    await until(tab, ({ fly }) => fly.own.helm !== 0);
    await steerFor(tab, 'Space', 5);
    const { fly } = await steerFor(tab, 'KeyW', 8);
    await keep(tab, 'steering');
    assert.equal(fly.own.parent, fly.own.helm);
    await tab.keyboard.press('KeyF');
    await tab.keyboard.down('KeyS'); // away from the seat
    await until(tab, ({ fly }) => fly.own.helm === 0);
    await tab.keyboard.up('KeyS');
  });

  test('the worker below the player dies in flight, and play goes on', async () => {
    await tab.keyboard.press('KeyJ');
    await tab.locator('failover-panel .tag.good').waitFor(); // the standby is in sync
    await tab.keyboard.press('KeyK');
    const dialog = tab.locator('confirm-act dialog');
    await dialog.locator('cmd-line', { hasText: /\.\/perigee ctl kill sim-[01]/ }).waitFor();
    await dialog.locator('#yes').click();
    const { fly } = await until(tab, ({ fly }) => fly.gap?.healed);
    const { gap, state } = fly;
    await keep(tab, 'failover_gap');
    console.log(`${gap.worker} died, ${gap.successor} took over: ${gap.ms.toFixed(0)} ms without the server's answers`);
    assert.notEqual(gap.worker, gap.successor);
    assert.ok(gap.ms > 0 && gap.ms < (strict ? 350 : 20_000), `${gap.ms} ms`);
    assert.equal(state, 'playing');
    await inputToEye(tab, 1);
  });

  test('nothing has gone wrong in the page', () => {
    console.log(`pictures are in ${keptIn}`);
    assert.deepEqual(tab.complaints, []);
  });
});

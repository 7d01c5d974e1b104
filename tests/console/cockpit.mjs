// A player in a tab: what it does, step by step. Places are in the frames of Skiff's models.
import { setTimeout as sleep } from 'node:timers/promises';
import { told, until } from './browser.mjs';
import { go, Strayed } from './pilot.mjs';

const keyPauseMs = 1100; // longer than the effects of the key before, at 300 ms
const pressesMax = 12;
const desyncsMax = 30;
const clearM = 7;
const jumpM = 2.5; // higher than a jump
const eyesM = 1.5; // above the ground
const aheadM = [1.1, 1.6, 2.1, 1.1]; // of the feet: the cell before the feet may be the avatar's own
const flightsMax = 4;

export async function join(tab, name) {
  await tab.fill('#name', name);
  await tab.click('#join');
  await until(tab, ({ fly }) => fly?.state === 'playing' && fly.own !== undefined);
}

/** Flies; an avatar that strays on the way leaves the world, and flies again from where players begin. */
export async function flown(tab, flight) {
  const { playerName } = (await told(tab)).fly;
  for (let left = flightsMax - 1; ; --left) {
    try {
      return await flight();
    } catch (error) {
      if (!(error instanceof Strayed) || left === 0) throw error;
      console.log(`flies again: ${error.message.slice(0, 200)}`);
      await tab.locator('fly-page .tools button', { hasText: 'Leave' }).click();
      await join(tab, playerName);
    }
  }
}

/** Simulates a path with this ping; 0 ends it. */
export async function ping(tab, ms) {
  await tab.evaluate(slide, ms);
  await until(tab, ({ fly }, wanted) => (wanted === 0 ? fly.link === 'none' : fly.telemetry.rttMs > wanted * 0.8), ms);
}

/** In the page, in each browser: moves the slider of the ping, or presses "none". */
function slide(ms) {
  const panel = window.findDeep(({ localName }) => localName === 'link-panel').shadowRoot;
  if (ms === 0) return panel.querySelector('.profiles button').click();
  const slider = panel.querySelector('#ping');
  slider.value = String(ms);
  slider.dispatchEvent(new Event('input'));
}

/** Takes a technique away, or returns it, with its digit. */
export async function toggle(tab, digit, setting) {
  const off = (fly) => fly.techniques.includes(setting);
  const before = off((await told(tab)).fly);
  await tab.keyboard.press(`Digit${digit}`);
  await until(tab, ({ fly }, was) => fly.techniques.includes(was.setting) !== was.before, { setting, before });
}

/** Walks to and fro until so many keys have been measured; returns their median. */
export async function inputToEye(tab, samples) {
  const seen = async () => (await told(tab)).fly.inputToEyeMs;
  const before = (await seen()).count;
  for (let i = 0; i < pressesMax && (await seen()).count < before + samples; ++i) {
    const key = i % 2 === 0 ? 'KeyD' : 'KeyA';
    await tab.keyboard.down(key);
    await sleep(keyPauseMs);
    await tab.keyboard.up(key);
    await sleep(keyPauseMs);
  }
  const { median, count } = await seen();
  if (count < before + samples) throw new Error(`only ${count - before} of ${samples} keys had a visible effect`);
  return median;
}

/**
 * Moves the prediction with E or R, until a frame shows its correction: a slow machine may miss one, and
 * after a storm of corrections the prediction is not shown for up to 32 s.
 */
export async function desync(tab, key) {
  const { outlinedFrames, telemetry } = (await told(tab)).fly;
  for (let i = 0; i < desyncsMax && (await told(tab)).fly.outlinedFrames === outlinedFrames; ++i) {
    await tab.keyboard.press(key);
    await sleep(keyPauseMs);
  }
  const seen = ({ fly }, was) => fly.outlinedFrames > was.outlinedFrames && fly.telemetry.corrections > was.corrections;
  return until(tab, seen, { outlinedFrames, corrections: telemetry.corrections });
}

/** Draws the next frames with an outline. Later frames are not drawn, so the picture stays on the canvas. */
export async function drawNextOutline(tab) {
  await tab.evaluate(() => {
    const before = window.perigee.fly.outlinedFrames;
    let left = 4; // of which one is drawn
    const frame = () => {
      if (window.perigee.fly.outlinedFrames > before) window.draws = left-- > 0;
      if (left >= 0) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** The mouse is the player's: its left button is the rifle, its right one the bow. */
export async function takeMouse(tab) {
  const { width, height } = tab.viewportSize();
  await tab.mouse.click(width / 2, height / 2);
  await tab.waitForFunction(() => document.pointerLockElement !== null);
}

/** Holds a button until a shot or arrow is played, then waits for its `last` state. */
export async function shoot(tab, button, what, last) {
  const before = (await told(tab)).fly.actions[what];
  await tab.mouse.down({ button });
  await until(tab, ({ fly }, was) => fly.actions[was.what].played > was.played, { what, ...before });
  await tab.mouse.up({ button });
  return until(tab, ({ fly }, was) => fly.actions[was.what][was.last] > was[was.last], { what, last, ...before });
}

/** Switches the jetpack on, and rises above walls and gates. */
async function rise(tab) {
  const height = async () => (await told(tab)).fly.own.positionM[1];
  const leastM = Math.max(clearM, (await height()) + jumpM);
  for (let tries = 0; tries < pressesMax; ++tries) {
    await tab.keyboard.press('KeyJ');
    await tab.keyboard.down('Space');
    for (let i = 0; i < 30 && (await height()) < leastM; ++i) await sleep(100);
    await tab.keyboard.up('Space');
    if ((await height()) >= leastM) return;
  }
  throw new Strayed('the avatar does not rise');
}

/** Flies with the jetpack to a place above a ship, and drops onto its deck. */
export async function land(tab, ship, atM, more = {}) {
  for (let tries = 0; tries < 3; ++tries) {
    await rise(tab);
    await go(tab, { ship, atM, withinM: 2.5, speedM_s: 40, ...more });
    await tab.keyboard.press('KeyJ');
    await stands(tab);
    if ((await told(tab)).fly.own.parentType === ship) return;
  }
  throw new Strayed(`the avatar did not land on the ${ship}: ${JSON.stringify((await told(tab)).fly.own)}`);
}

/** From anywhere to the helm of the nearest skiff. */
export async function boards(tab) {
  await land(tab, 'skiff', [0, 4, -1], { withinM: 1.8 });
  await go(tab, { ship: 'skiff', atM: [0, 0.9, 2.2], level: true, withinM: 1 });
  await tab.locator('fly-page .prompt', { hasText: 'take the helm' }).waitFor();
  await go(tab, { ship: 'station', atM: [-80, 3.8, 0], looks: true }); // along the deck
}

/** Until the avatar does not move in its parent's frame. */
export async function stands(tab) {
  let [before, quiet] = [[], 0];
  for (const end = Date.now() + 60_000; quiet < 3; await sleep(200)) {
    const { own } = (await told(tab)).fly;
    quiet = before.length > 0 && Math.hypot(...own.localM.map((side, i) => side - before[i])) < 0.01 ? quiet + 1 : 0;
    before = own.localM;
    if (Date.now() > end) throw new Strayed(`the avatar does not come to rest: ${JSON.stringify(own)}`);
  }
}

/** Digs a cell of the ground before the feet, or places a stone in it. Returns whether a worker confirmed it. */
export async function dig(tab, key, what) {
  const { own } = (await told(tab)).fly;
  const [x, y, z] = own.localM;
  for (const metres of aheadM) {
    await go(tab, { ship: 'station', atM: [x + metres, y - eyesM, z], looks: true });
    const before = (await told(tab)).fly.actions[what];
    await tab.keyboard.down(key);
    await until(tab, ({ fly }, was) => fly.actions[was.what].played > was.played, { what, ...before });
    await tab.keyboard.up(key);
    const decided = ({ fly }, was) =>
      fly.actions[was.what].confirmed > was.confirmed || fly.actions[was.what].cancelled > was.cancelled;
    const { fly } = await until(tab, decided, { what, ...before });
    if (fly.actions[what].confirmed > before.confirmed) return true;
  }
  return false;
}

export const ship = (fly, type) => fly.ships.find((each) => each.type === type);

/** Holds a key until the ship that the player steers is so far from where it was. */
export async function steerFor(tab, key, metres) {
  const from = ship((await told(tab)).fly, 'skiff').positionM;
  await tab.keyboard.down(key);
  const state = await until(tab, ({ fly }, was) => {
    const skiff = fly.ships.find(({ type }) => type === 'skiff');
    return Math.hypot(...skiff.positionM.map((side, i) => side - was.from[i])) > was.metres;
  }, { from, metres });
  await tab.keyboard.up(key);
  return state;
}

/** How far the avatar stands from the place aboard where the workers have it: at least so far in the end. */
export async function besideM(tab, type, leastM = 0) {
  let beside = 0;
  await until(tab, ({ fly }) => {
    const { ownM, trueOwnM } = ship(fly, type) ?? {};
    if (!trueOwnM) return false;
    beside = Math.hypot(...ownM.map((side, i) => side - trueOwnM[i]));
    return beside >= leastM;
  });
  return beside;
}

// A player in a tab: what it does, step by step. Places are in the frames of Skiff's models.
import { setTimeout as sleep } from 'node:timers/promises';
import { told, until } from './browser.mjs';
import { go } from './pilot.mjs';

const keyPauseMs = 1500; // longer than the effects of the key before, at 300 ms
const pressesMax = 12;
const eyesM = 1.5; // above the ground

export async function join(tab, name) {
  await tab.fill('#name', name);
  await tab.click('#join');
  await until(tab, ({ fly }) => fly?.state === 'playing' && fly.own !== undefined);
}

/** Simulates a path with this ping; 0 ends it. */
export async function ping(tab, ms) {
  await tab.locator('link-panel #ping').fill(String(ms));
  if (ms === 0) await tab.locator('link-panel button', { hasText: 'none' }).click();
  await until(tab, ({ fly }, wanted) => (wanted === 0 ? fly.link === 'none' : fly.telemetry.rttMs > wanted * 0.8), ms);
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

/** Moves the prediction with E or R, until the correction is drawn and counted. */
export async function desync(tab, key) {
  const { fly: before } = await told(tab);
  await tab.keyboard.press(key);
  await until(tab, ({ fly }, was) => fly.outlinedFrames > was, before.outlinedFrames);
  return until(tab, ({ fly }, was) => fly.telemetry.corrections > was, before.telemetry.corrections);
}

/** The mouse is the player's: its left button is the rifle, its right one the bow. */
export async function takeMouse(tab) {
  const { width, height } = tab.viewportSize();
  await tab.mouse.click(width / 2, height / 2);
  await tab.waitForFunction(() => document.pointerLockElement !== null);
}

/** Holds a button until the workers have confirmed another shot or arrow. */
export async function shoot(tab, button, what) {
  const { fly } = await told(tab);
  await tab.mouse.down({ button });
  await until(tab, ({ fly }, was) => fly.actions[was.what].played > was.count, { what, count: fly.actions[what].played });
  await tab.mouse.up({ button });
  await until(tab, ({ fly }, was) => fly.actions[was.what].confirmed > was.count, { what, count: fly.actions[what].confirmed });
}

/** Flies with the jetpack to a place above a ship, and drops onto its deck. */
export async function land(tab, ship, atM, parent = ship) {
  await tab.keyboard.press('KeyJ');
  await go(tab, { ship, atM });
  await tab.keyboard.press('KeyJ');
  await until(tab, ({ fly }, was) => fly.own.parentType === was.parent, { parent });
  await stands(tab);
}

/** Until the avatar does not move in its parent's frame. */
export async function stands(tab) {
  let [before, quiet] = [[], 0];
  for (const end = Date.now() + 60_000; quiet < 3; await sleep(200)) {
    const { own } = (await told(tab)).fly;
    quiet = before.length > 0 && Math.hypot(...own.localM.map((side, i) => side - before[i])) < 0.01 ? quiet + 1 : 0;
    before = own.localM;
    if (Date.now() > end) throw new Error(`the avatar does not come to rest: ${JSON.stringify(own)}`);
  }
}

/** Digs a cell of the mound before the feet, or places a stone there. */
export async function dig(tab, key, what) {
  const { own, actions } = (await told(tab)).fly;
  const [x, y, z] = own.localM;
  await go(tab, { ship: 'station', atM: [x + 1.1, y - eyesM, z], looks: true });
  await tab.keyboard.down(key);
  await until(tab, ({ fly }, was) => fly.actions[was.what].played > was.count, { what, count: actions[what].played });
  await tab.keyboard.up(key);
  await until(tab, ({ fly }, was) => fly.actions[was.what].confirmed > was.count, { what, count: actions[what].confirmed });
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

/** How far the avatar stands from the place aboard where the workers have it. */
export async function besideM(tab, type) {
  const { ownM, trueOwnM } = ship((await until(tab, ({ fly }, was) => fly.ships.some((each) => each.type === was && each.trueOwnM), type)).fly, type);
  return Math.hypot(...ownM.map((side, i) => side - trueOwnM[i]));
}

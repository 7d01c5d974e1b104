// A player in a tab.
import { setTimeout as sleep } from 'node:timers/promises';
import { told, until } from './browser.mjs';

const keyPauseMs = 1500; // longer than the effects of the key before, at 300 ms
const pressesMax = 12;

export async function join(tab, name) {
  await tab.fill('#name', name);
  await tab.click('#join');
  await until(tab, ({ fly }) => fly?.state === 'playing' && fly.own !== undefined);
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

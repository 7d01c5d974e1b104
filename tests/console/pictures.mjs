// Pictures of the pages in full quality: pictures.mjs FOLDER [helm|prediction|pages]. helm is console.jpg, a
// player at the helm of a skiff; prediction.png a key without and with prediction at 300 ms; pages one of each.
import { mkdir } from 'node:fs/promises';
import { join as path } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { draw, launch, open, told, until } from './browser.mjs';
import { Cluster } from './cluster.mjs';
import { boards, flown, join, ping, steerFor, toggle } from './cockpit.mjs';
import { filmstrip, film } from './film.mjs';
import { go } from './pilot.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) {
  console.error('pictures.mjs takes a folder, such as build/pictures, and the parts: helm, prediction, pages; nothing: all of them');
  process.exit(2);
}
const size = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const joinsMax = 6;
const settleMs = 11_000; // the network's graph forgets the slow frames
const planetM = [1660, -260, 640]; // a place before it, as seen from the station at +x
const patience = { timeout: 240_000 };

/** With a picture of now. */
async function take(tab, name, more = {}) {
  await draw(tab);
  await sleep(settleMs);
  await tab.screenshot({ path: path(folder, name), ...patience, ...more });
  console.log(name);
}

async function cockpit(browser, cluster, quality, viewport) {
  const tab = await open(browser, cluster, '/fly', { quality, ...viewport });
  // The station from whose deck the planet is seen.
  for (let i = 0; i < joinsMax; ++i) {
    await join(tab, 'Ada');
    if ((await told(tab)).fly.own.positionM[0] > 0) break;
    await tab.locator('fly-page .tools button', { hasText: 'Leave' }).click();
  }
  return tab;
}

async function atTheHelm(browser, cluster) {
  const tab = await cockpit(browser, cluster, 'full', size);
  await until(tab, ({ fly }) => fly.scene.types.character >= 8);
  await take(tab, 'joined.jpg', { type: 'jpeg', quality: 80 });
  await flown(tab, () => boards(tab));
  await take(tab, 'boarded.jpg', { type: 'jpeg', quality: 80 });
  await tab.keyboard.press('KeyF');
  await until(tab, ({ fly }) => fly.own.helm !== 0);
  await steerFor(tab, 'Space', 9);
  await go(tab, { atM: planetM, looks: true });
  await steerFor(tab, 'KeyW', 30);
  await until(tab, ({ fly }) => !fly.own.smoothing); // no outline
  await take(tab, 'console.jpg', { type: 'jpeg', quality: 84 });
  await tab.close();
}

/** The same key at 300 ms, without and with prediction. */
async function prediction(browser, cluster) {
  const tab = await cockpit(browser, cluster, 'plain', { width: 1200, height: 720 });
  await ping(tab, 300);
  await go(tab, { ship: 'station', atM: [8, 1, -38], looks: true }); // gates and the rotor
  const rows = [];
  for (const title of ['Prediction off', 'Prediction on']) {
    await toggle(tab, 1, 'prediction=off');
    await sleep(1500);
    rows.push({ title, frames: await film(tab) });
    await sleep(1500);
  }
  await tab.close();
  await filmstrip(browser, rows, path(folder, 'prediction.png'));
  console.log('prediction.png');
}

async function others(browser, cluster) {
  for (const page of ['world', 'players', 'incidents', 'dashboards', 'ladder']) {
    for (const [suffix, viewport] of [['', size], ...(['world', 'players'].includes(page) ? [['_phone', phone]] : [])]) {
      const tab = await open(browser, cluster, `/${page}`, { ...viewport, quality: 'plain' });
      await until(tab, ({ live, world }) => live.state === 'open' && (page !== 'world' || world?.entities > 80));
      await sleep(3000);
      await draw(tab);
      await tab.screenshot({ path: path(folder, `${page}${suffix}.jpg`), type: 'jpeg', quality: 85, ...patience });
      await tab.close();
      console.log(`${page}${suffix}.jpg`);
    }
  }
}

await mkdir(folder, { recursive: true });
const cluster = await Cluster.start({ bots: 24 });
const browser = await launch();
const parts = { prediction, helm: atTheHelm, pages: others };
try {
  for (const [name, part] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await part(browser, cluster);
} finally {
  await browser.close();
  await cluster.stop();
}

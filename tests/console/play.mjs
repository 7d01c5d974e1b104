// A player in Chromium on a console that runs already: play.mjs URL TOKEN. For deploy/smoke.sh.
// Exit code 0: it joined, walked, and nothing went wrong in the page; 77: no browser here.
import assert from 'node:assert/strict';

import { lacks, launch, open, told, until } from './browser.mjs';
import { join } from './cockpit.mjs';

const walkM = 2;

const [url, token] = process.argv.slice(2);
const missing = await lacks();
if (missing) {
  console.log(`skipped: ${missing}`);
  process.exit(77);
}
const browser = await launch();
try {
  const tab = await open(browser, { page: url, token: async () => token }, '/fly');
  await join(tab, 'Smoke');
  const { fly: { own: { positionM: start } } } = await told(tab);
  await tab.keyboard.down('KeyW');
  const { fly } = await until(tab, ({ fly }) => Math.hypot(...fly.own.positionM.map((side, i) => side - start[i])) > walkM);
  await tab.keyboard.up('KeyW');
  assert.equal(fly.state, 'playing');
  assert.deepEqual(tab.complaints, []);
  const { rttMs, corrections } = fly.telemetry;
  console.log(`a browser plays: ${fly.scene.entities} entities, ${rttMs.toFixed(1)} ms, ${corrections} corrections`);
} finally {
  await browser.close();
}

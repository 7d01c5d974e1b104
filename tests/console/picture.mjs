// The picture of docs/console.md: picture.mjs FILE.png
import { setTimeout as sleep } from 'node:timers/promises';

import { launch, told, until } from './browser.mjs';
import { Cluster } from './cluster.mjs';
import { join } from './cockpit.mjs';

const size = { width: 1120, height: 700 };
const turnPixels = -150; // of the mouse, towards the planet
const joinsMax = 6;
const settleMs = 6000;

const cluster = await Cluster.start({ bots: 40 });
const browser = await launch();
try {
  const tab = await browser.newPage({ viewport: size });
  await tab.goto(`${cluster.page}?quality=full#token=${await cluster.token()}&/fly`);
  // The station from whose deck the planet is seen beside the gates.
  for (let i = 0; i < joinsMax; ++i) {
    await join(tab, 'Ada');
    if ((await told(tab)).fly.own.positionM[0] > 0) break;
    await tab.locator('fly-page .tools button', { hasText: 'Leave' }).click();
  }
  await until(tab, ({ fly }) => fly.scene.types.character >= 12);
  await tab.mouse.click(size.width / 2, size.height / 2); // catches the mouse
  await sleep(1000);
  for (let i = 1; i <= 8; ++i) {
    await tab.mouse.move(size.width / 2 + (turnPixels * i) / 8, size.height / 2 + 2 * i);
    await sleep(150);
  }
  await tab.locator('link-panel #ping').fill('150');
  await tab.keyboard.press('Digit3');
  await sleep(settleMs);
  await tab.screenshot({ path: process.argv[2], timeout: 120_000 });
} finally {
  await browser.close();
  await cluster.stop();
}

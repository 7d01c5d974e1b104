// One cluster and one browser for all tests of a process.
import { after } from 'node:test';

import { launch } from './browser.mjs';
import { Cluster } from './cluster.mjs';

let begun;

/** The same ones each time; they end after the last test. */
export function shared() {
  begun ??= (async () => {
    const cluster = await Cluster.start({ bots: 6 });
    return { cluster, browser: await launch() };
  })();
  return begun;
}

after(async () => {
  const { cluster, browser } = (await begun?.catch(() => undefined)) ?? {};
  await browser?.close();
  await cluster?.stop();
});

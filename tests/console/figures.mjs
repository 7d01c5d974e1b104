// Figures of the pages: figures.mjs [BOTS]. WebGL draws no frame, because the processor would have to. Times of
// frames are CPU times of the page's main thread, from Chromium's trace: the cluster and the bots have the
// same cores, and take them from a frame now and then.
import { setTimeout as sleep } from 'node:timers/promises';

import { draw, drawOnDemand, launch, open, told, until } from './browser.mjs';
import { Cluster } from './cluster.mjs';
import { fakeCrowd } from './crowd.mjs';

const bots = Number(process.argv[2] ?? 100);
const joins = 5;
const playedMs = 10_000; // before the times are taken: V8 has compiled all of it
const tracedMs = 20_000;
const crowd = 10_000;
const interruptedMs = 0.2; // between a frame's CPU time and the time that passed: another process had the core

/** In the page: ms from the click on Join to the first frame with the own avatar. */
function joinedMs(name) {
  const find = (id) => window.findDeep((each) => each.id === id);
  const field = find('name');
  field.value = name;
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  return new Promise((done) => {
    requestAnimationFrame(() => {
      const clickedMs = performance.now();
      find('join').click();
      const frame = () => {
        const { fly } = window.perigee;
        if (fly?.state === 'playing' && fly.own) done(performance.now() - clickedMs);
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
  });
}

/** All JavaScript of each frame, in ms: CPU time, and time that passed. */
async function tracedFrames(tab) {
  const session = await tab.context().newCDPSession(tab);
  const frames = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, ph, tdur, dur } of value) {
      if (name === 'FireAnimationFrame' && ph === 'X') frames.push({ cpuMs: tdur / 1000, passedMs: dur / 1000 });
    }
  });
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] }, transferMode: 'ReportEvents' });
  await sleep(tracedMs);
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
  return frames;
}

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const median = (values) => quantile(values, 0.5);
const ms = (value) => `${value.toFixed(2)} ms`;
const both = (values) => `${ms(median(values))}, p99 ${ms(quantile(values, 0.99))}`;

/**
 * Other processes disturb both clocks: an interrupted frame continues with cold caches, and at times the clock of
 * the CPU time says more than the time that passed.
 */
function inWords(frames) {
  const calm = frames.filter(({ cpuMs, passedMs }) => Math.abs(passedMs - cpuMs) < interruptedMs);
  const percent = Math.round((100 * calm.length) / frames.length);
  return `all JavaScript of a frame ${both(frames.map(({ cpuMs }) => cpuMs))}; in the ${percent} % of the ` +
    `frames that no process interrupted ${both(calm.map(({ cpuMs }) => cpuMs))}`;
}

async function cockpit(browser, cluster) {
  const tab = await open(browser, cluster, '/fly');
  const joined = [];
  for (let i = 0; i < joins; ++i) {
    await tab.locator('#join').waitFor();
    joined.push(await tab.evaluate(joinedMs, `Ada-${i}`));
    if (i < joins - 1) await tab.locator('fly-page .tools button', { hasText: 'Leave' }).click();
  }
  console.log(`from the click on Join to the first frame with the avatar, ${joins} times: median ${ms(median(joined))}, longest ${ms(Math.max(...joined))}`);
  await draw(tab); // shaders
  await sleep(playedMs);
  const frames = await tracedFrames(tab);
  const { fly } = await told(tab);
  console.log(
    `the cockpit beside ${bots} bots, ${fly.scene.entities} entities, ${fly.framesPerSecond.toFixed(0)} frames/s: ` +
      `${inWords(frames)}; the library takes ${ms(fly.frameMs.wasmP50)}`,
  );
  await tab.close();
}

async function world(browser, cluster) {
  const tab = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  await tab.addInitScript(drawOnDemand);
  await tab.addInitScript(fakeCrowd, crowd);
  await tab.goto(`${cluster.page}#/world`);
  await until(tab, ({ world }) => world?.entities === crowd);
  await sleep(playedMs);
  console.log(`World with ${crowd} moving entities: ${inWords(await tracedFrames(tab))}`);
  await tab.close();
}

const cluster = await Cluster.start({ bots });
const browser = await launch();
try {
  await sleep(5000); // the bots join
  await cockpit(browser, cluster);
  await world(browser, cluster);
} finally {
  await browser.close();
  await cluster.stop();
}

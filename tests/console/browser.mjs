// Chromium without a window, and what the pages tell about themselves.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const programs = [process.env.PERIGEE_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const page = new URL('../../services/console/page/package.json', import.meta.url);
const waitMs = 120_000;
const pollMs = 100;
/** PERIGEE_STRICT=1: figures are asserted, too. */
export const strict = process.env.PERIGEE_STRICT === '1';
const shots = process.env.PERIGEE_SHOTS ?? fileURLToPath(new URL('../../build/console_shots', import.meta.url));
// Chromium draws with the processor: a machine for tests has no graphics card. A frame in the cockpit would
// take 40 ms, and on busy cores 150 ms, so the tests draw what they keep a picture of, and nothing else.
const flags = [
  '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--mute-audio',
  '--disable-gpu-compositing',
];

const niced = fileURLToPath(new URL('chromium.sh', import.meta.url));
const executablePath = programs.find((path) => path && existsSync(path));

/** Why there is no browser here; empty: there is one. */
export async function lacks() {
  if (!executablePath) return 'chromium is not installed';
  try {
    createRequire(page).resolve('playwright-core');
    return '';
  } catch {
    return 'npm modules are missing: run services/console/page/build.sh modules';
  }
}

/** `noWebGl`: a browser that cannot draw. */
export async function launch({ noWebGl = false } = {}) {
  const { chromium } = createRequire(page)('playwright-core');
  const args = noWebGl ? ['--no-sandbox', '--disable-gpu', '--disable-3d-apis'] : flags;
  return chromium.launch({ executablePath: niced, args, timeout: waitMs, env: { ...process.env, PERIGEE_CHROMIUM: executablePath } });
}

/** A tab on a page of the console, such as '/world'; what it complains about is in `complaints`. */
/** `token`: true: the console's own; false: none; or one of an operator. */
export async function open(browser, cluster, where, { token = true, width = 1000, height = 640, quality = 'plain' } = {}) {
  const tab = await browser.newPage({ viewport: { width, height } });
  tab.setDefaultTimeout(waitMs);
  for (const script of inPage) await tab.addInitScript(script);
  tab.complaints = [];
  tab.on('pageerror', (error) => tab.complaints.push(String(error)));
  tab.on('console', (message) => message.type() === 'error' && !message.text().startsWith('Failed to load') && tab.complaints.push(message.text()));
  const words = [...(token ? [`token=${token === true ? await cluster.token() : token}`] : []), where].join('&');
  await tab.goto(`${cluster.page}?quality=${quality}#${words}`);
  return tab;
}

/** In the page: WebGL draws only while `window.draws` is set. */
export function drawOnDemand() {
  window.draws = false;
  const context = WebGL2RenderingContext.prototype;
  for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced', 'clear']) {
    const real = context[name];
    context[name] = function (...words) {
      if (window.draws) real.apply(this, words);
    };
  }
}

/** In the page: the first element that fits, also in the shadow trees of others. */
function findDeep() {
  const deep = (each) => [each, ...[...(each.shadowRoot?.querySelectorAll('*') ?? [])].flatMap(deep)];
  window.findDeep = (fits) => [...document.querySelectorAll('*')].flatMap(deep).find(fits);
}

/** What each tab of a test has before the page's own scripts. */
export const inPage = [drawOnDemand, findDeep];

/** Draws at least once: in the tests' quality, pages draw every fourth frame. Lens draws only what has changed. */
export async function draw(tab) {
  await tab.evaluate(() => new Promise((done) => {
    let left = 9;
    window.draws = true;
    const paths = window.findDeep(({ localName }) => localName === 'path-view');
    const frame = () => {
      if (left % 2 === 0) paths?.requestUpdate(); // it draws in the next frame
      if (left-- > 0) requestAnimationFrame(frame);
      else done();
    };
    requestAnimationFrame(frame);
  }));
  await tab.evaluate(() => (window.draws = false));
}

/** All that `window.perigee` says in the tab. */
export const told = (tab) =>
  tab.evaluate(() => ({ live: window.perigee.live, fly: window.perigee.fly, world: window.perigee.world, lens: window.perigee.lens }));

/** Waits until a condition on what the page tells holds; `value` is its second argument. */
export async function until(tab, condition, value) {
  const end = Date.now() + waitMs;
  let state;
  while (Date.now() < end) {
    state = await told(tab);
    if (condition(state, value)) return state;
    await sleep(pollMs);
  }
  throw new Error(`not within ${waitMs / 1000} s: ${condition}; the page says ${JSON.stringify(state)}`);
}

/** Keeps a picture of the tab, named by what it shows; returns its path. `drawn`: of what was drawn last. */
export async function keep(tab, name, drawn = false) {
  await mkdir(shots, { recursive: true });
  const path = join(shots, `${name}.png`);
  if (!drawn) await draw(tab);
  await tab.screenshot({ path, timeout: waitMs });
  return path;
}
export const keptIn = shots;

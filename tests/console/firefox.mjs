// Debian's Firefox, on an X server of its own: without one it has no WebGL.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

import { inPage } from './browser.mjs';

const firefox = '/usr/bin/firefox-esr';
const xvfb = '/usr/bin/Xvfb';
const waitMs = 120_000;
const modules = createRequire(new URL('firefox/package.json', import.meta.url));

/** Why there is no Firefox here; empty: there is one. */
export function lacks() {
  if (!existsSync(firefox)) return 'Firefox is not installed (package firefox-esr)';
  return existsSync(xvfb) ? '' : 'Xvfb is not installed (package xvfb)';
}

/** `end()` ends the browser and its X server. */
export async function launch() {
  const server = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  try {
    const display = await new Promise((found, failed) => {
      server.once('error', failed);
      server.once('exit', (code) => failed(new Error(`Xvfb ended with ${code}`)));
      server.stdio[3].once('data', (number) => found(`:${String(number).trim()}`));
    });
    const { default: puppeteer } = await import(modules.resolve('puppeteer-core'));
    const browser = await puppeteer.launch({
      browser: 'firefox', executablePath: firefox, headless: false, timeout: waitMs, protocolTimeout: waitMs,
      env: { ...process.env, DISPLAY: display }, extraPrefsFirefox: { 'webgl.force-enabled': true },
    });
    const end = async () => {
      await browser.close();
      server.kill();
    };
    return { browser, end };
  } catch (error) {
    server.kill();
    throw error;
  }
}

/** A tab on a page of the console; what it complains about is in `complaints`. */
export async function open(browser, cluster, where) {
  const tab = await browser.newPage();
  await tab.setViewport({ width: 1000, height: 640 });
  tab.setDefaultTimeout(waitMs);
  for (const script of inPage) await tab.evaluateOnNewDocument(script);
  tab.complaints = [];
  tab.on('pageerror', (error) => tab.complaints.push(String(error)));
  await tab.goto(`${cluster.page}?quality=plain#token=${await cluster.token()}&${where}`);
  return tab;
}

// Reads the built site over HTTP and as files, light and dark, wide and on a phone. (D8)
//   node read_site.mjs SITE
import assert from 'node:assert/strict';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from '../../console/browser.mjs';

const site = process.argv[2];
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.json': 'application/json' };
const server = createServer((request, answer) => {
  const path = join(site, normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)));
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return answer.writeHead(404).end();
  answer.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
  createReadStream(path).pipe(answer);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const overHttp = `http://127.0.0.1:${server.address().port}`;
const asFiles = pathToFileURL(site).href;

const browser = await launch({ noWebGl: true });

/** A tab that notes what it asks other hosts for, and what it complains about. */
async function read(from, page, { width = 1440, height = 900, colorScheme = 'light' } = {}) {
  const tab = await browser.newPage({ viewport: { width, height }, colorScheme });
  tab.wrong = [];
  tab.on('request', (request) => /^(data|blob|about):/.test(request.url()) || request.url().startsWith(from) || tab.wrong.push(`asks for ${request.url()}`));
  tab.on('requestfailed', (request) => tab.wrong.push(`did not get ${request.url()}`));
  tab.on('response', (response) => response.status() >= 400 && tab.wrong.push(`${response.status()} for ${response.url()}`));
  tab.on('pageerror', (error) => tab.wrong.push(String(error)));
  await tab.goto(`${from}/${page}`);
  return tab;
}

const luminance = (tab, selector) =>
  tab.evaluate((selector) => {
    const [r, g, b] = getComputedStyle(document.querySelector(selector)).backgroundColor.match(/[\d.]+/g).map(Number);
    return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
  }, selector);

async function closeClean(tab, what) {
  assert.deepEqual(tab.wrong, [], what);
  await tab.close();
}

for (const [size, width, height] of [['wide', 1440, 900], ['phone', 390, 844]]) {
  for (const colorScheme of ['light', 'dark']) {
    for (const page of ['index.html', 'tuning.html', 'decisions/0066-webassembly-by-debians-clang.html']) {
      const tab = await read(overHttp, page, { width, height, colorScheme });
      const what = `${page}, ${size}, ${colorScheme}`;
      const light = await luminance(tab, 'body');
      assert.ok(colorScheme === 'dark' ? light < 0.2 : light > 0.8, `${what}: background of luminance ${light}`);
      const overhang = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overhang <= 0, `${what}: the page is ${overhang} px wider than the window`);
      const unseen = await tab.evaluate(() => [...document.querySelectorAll('article img')].filter((img) => !img.complete || !img.naturalWidth).length);
      assert.equal(unseen, 0, `${what}: pictures`);
      await closeClean(tab, what);
    }
  }
}
console.log('12 views: colours, widths and pictures are right');

const withCode = await read(overHttp, 'your_first_game.html');
const blocks = await withCode.locator('pre > code').count();
assert.ok(blocks > 5);
await withCode.waitForFunction((count) => document.querySelectorAll('pre button, .md-code__button, .md-clipboard').length >= count, blocks);
await closeClean(withCode, 'copy buttons');
console.log(`${blocks} blocks of code have a button to copy`);

for (const [how, from] of [['over HTTP', overHttp], ['as files', asFiles]]) {
  const tab = await read(from, 'index.html');
  await tab.locator('.md-search__button').click();
  await tab.locator('input[placeholder="Search"]').fill('single displacement'); // in a shadow tree, as the list is
  const hit = tab.locator('a[href*="0015-storm-breaker"]:not(.md-nav__link)').first();
  await hit.waitFor({ timeout: 20_000 });
  await hit.click();
  await tab.waitForURL(/0015-storm-breaker/);
  await closeClean(tab, `search ${how}`);
  console.log(`search ${how} finds the page, and nothing was asked of another host`);
}
await browser.close();
server.close();

// A short film of a key press: frames with their times after the key, as one picture.
import { setTimeout as sleep } from 'node:timers/promises';

const atMs = [17, 100, 200, 300, 500, 700];

/**
 * Frames of the canvas, each so long after a key of its own: drawing takes longer than a frame here, and
 * would delay the next one. Needs a tab of browser.mjs.
 */
export async function film(tab) {
  const frames = [];
  for (const [i, ms] of atMs.entries()) {
    frames.push(await tab.evaluate(frameAfter, { key: i % 2 === 0 ? 'KeyD' : 'KeyA', ms }));
    await sleep(1500); // both the key and its release have had their effects
  }
  return frames;
}

/** In the page. */
function frameAfter({ key, ms }) {
  const view = window.findDeep(({ id, tagName }) => tagName === 'CANVAS' && id === 'view');
  const press = (type) => dispatchEvent(new KeyboardEvent(type, { code: key, cancelable: true }));
  const [width, height] = [480, 288];
  return new Promise((done) => {
    let [keyMs, from] = [0, undefined];
    // The cockpit's own callback comes first in a frame.
    const frame = (nowMs) => {
      if (window.draws) {
        window.draws = false;
        press('keyup');
        const copy = Object.assign(document.createElement('canvas'), { width, height });
        copy.getContext('2d').drawImage(view, view.width * 0.25, view.height * 0.3, view.width / 2, view.height / 2, 0, 0, width, height); // its middle
        const { localM } = window.perigee.fly.own;
        done({ ms: Math.round(nowMs - keyMs), movedM: Math.hypot(localM[0] - from[0], localM[2] - from[2]), url: copy.toDataURL('image/jpeg', 0.9) });
        return;
      }
      if (!from) {
        from = window.perigee.fly.own.localM;
        keyMs = nowMs;
        press('keydown');
      }
      window.draws = nowMs + 17 - keyMs >= ms;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** Draws the rows into one picture. */
export async function filmstrip(browser, rows, path) {
  const tab = await browser.newPage({ viewport: { width: 1240, height: 280 } });
  await tab.setContent(`<style>
    body { margin: 0; padding: 18px 20px 20px; background: #0b0f16; color: #dfe6f2; font: 500 14px Inter, system-ui, sans-serif; }
    h1 { margin: 0 0 12px; font-size: 16px; font-weight: 600; }
    h1 span { color: #8b97ad; font-weight: 400; }
    .row { display: grid; grid-template-columns: 100px repeat(6, 1fr); gap: 6px; align-items: center; margin-top: 8px; }
    .row b { font-size: 15px; line-height: 1.25; }
    figure { margin: 0; position: relative; }
    img { display: block; width: 100%; border-radius: 6px; }
    figcaption { position: absolute; left: 7px; right: 7px; bottom: 6px; display: flex; justify-content: space-between; font-size: 12px;
      font-variant-numeric: tabular-nums; text-shadow: 0 0 4px #000, 0 0 2px #000; }
    .row b { padding-right: 4px; }
    .still { color: #f0b35f; } .moves { color: #7be08f; }
  </style><h1>A key at a ping of 300 ms <span>· time after the key, and how far the avatar has moved on the screen</span></h1>${rows.map(({ title, frames }) =>
    `<div class="row"><b>${title}</b>${frames.map(({ ms, movedM, url }) =>
      `<figure><img src="${url}"><figcaption><span>${ms} ms</span><span class="${movedM < 0.02 ? 'still' : 'moves'}">${movedM.toFixed(2)} m</span></figcaption></figure>`).join('')}</div>`).join('')}`);
  await tab.locator('body').screenshot({ path, type: path.endsWith('png') ? 'png' : 'jpeg' });
  await tab.close();
}

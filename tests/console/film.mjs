// A short film of a key press: frames with the times at which they were drawn, as one picture.
const atMs = [0, 100, 200, 300, 400, 500];

/** Presses a key, and keeps frames of the canvas from then on; needs `window.draws` of pictures.mjs. */
export async function film(tab, key) {
  return tab.evaluate(({ key, times }) => {
    const view = [...document.querySelectorAll('*')].flatMap(function deep(each) {
      return [each, ...[...(each.shadowRoot?.querySelectorAll('*') ?? [])].flatMap(deep)];
    }).find(({ id, tagName }) => tagName === 'CANVAS' && id === 'view');
    return new Promise((done, fail) => {
      setTimeout(() => fail(new Error(`only ${frames.length} frames`)), 40_000);
      const frames = [];
      const press = (type) => dispatchEvent(new KeyboardEvent(type, { code: key, cancelable: true }));
      const from = window.perigee.fly.own.localM;
      const keyMs = performance.now();
      press('keydown');
      const real = requestAnimationFrame.bind(window);
      const frame = (nowMs) => {
        // The cockpit's own callback comes first in a frame.
        if (window.draws) {
          const copy = Object.assign(document.createElement('canvas'), { width: 480, height: 288 });
          copy.getContext('2d').drawImage(view, 0, 0, 480, 288);
          const { localM } = window.perigee.fly.own;
          frames.push({
            ms: Math.round(performance.now() - keyMs), movedM: Math.hypot(localM[0] - from[0], localM[2] - from[2]),
            url: copy.toDataURL('image/jpeg', 0.86),
          });
        }
        if (frames.length === times.length) {
          press('keyup');
          window.draws = false;
          done(frames);
          return;
        }
        window.draws = performance.now() + 12 - keyMs >= times[frames.length];
        real(frame);
      };
      real(frame);
    });
  }, { key, times: atMs });
}

/** Draws the rows into one picture. */
export async function filmstrip(browser, rows, path) {
  const tab = await browser.newPage({ viewport: { width: 1240, height: 400 } });
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
    .still { color: #f0b35f; } .moves { color: #7be08f; }
  </style><h1>A key at a ping of 300 ms <span>· time after the key, and how far the avatar has moved on the screen</span></h1>${rows.map(({ title, frames }) =>
    `<div class="row"><b>${title}</b>${frames.map(({ ms, movedM, url }) =>
      `<figure><img src="${url}"><figcaption><span>${ms} ms</span><span class="${movedM < 0.02 ? 'still' : 'moves'}">${movedM.toFixed(2)} m</span></figcaption></figure>`).join('')}</div>`).join('')}`);
  await tab.locator('body').screenshot({ path, type: path.endsWith('png') ? 'png' : 'jpeg' });
  await tab.close();
}

// An autopilot for tests: it presses the keys of a player, and sees only what window.perigee says.

const patienceMs = 60_000;

/** The avatar is not where its keys should have brought it: they came late, or a bot is in the way. */
export class Strayed extends Error {}

/**
 * Runs in the page. Turns towards a place with the arrow keys, and walks or flies there with W.
 * `goal`: `atM`, in the frame of the nearest ship of type `ship`, if there is one, else in the world;
 * `withinM`: near enough; `level`: walks; `speedM_s`: at most; `looks`: only turns.
 */
function steer(goal) {
  const { atM, ship, withinM = 1, level = false, speedM_s = 60, looks = false, patienceMs } = goal;
  const brakesM_s2 = 8;
  const alignedRad = looks ? 0.05 : 0.12;
  const down = new Set();
  const press = (code, wanted) => {
    if (wanted === down.has(code)) return;
    if (wanted) down.add(code);
    else down.delete(code);
    dispatchEvent(new KeyboardEvent(wanted ? 'keydown' : 'keyup', { code, cancelable: true }));
  };
  const turned = ([x, y, z], [a, b, c, w]) => {
    const [i, j, k] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
    return [x + w * i + b * k - c * j, y + w * j + c * i - a * k, z + w * k + a * j - b * i];
  };
  const target = ({ ships }) => {
    if (!ship) return atM;
    const frame = ships.find(({ type }) => type === ship);
    return frame && turned(atM, frame.rotation).map((side, i) => side + frame.positionM[i]);
  };
  const wrapped = (rad) => Math.atan2(Math.sin(rad), Math.cos(rad));
  let former;
  const step = (fly, nowMs) => {
    const { own } = fly;
    const to = own && target(fly);
    if (!to) return `no ${ship ?? 'avatar'} is near`;
    const away = to.map((side, i) => side - own.positionM[i]);
    if (level) away[1] = 0;
    const distanceM = Math.hypot(...away);
    // Relative to the goal, which may move.
    const seconds = former ? Math.max((nowMs - former.nowMs) / 1000, 1e-3) : 1;
    const speed = former ? Math.hypot(...away.map((side, i) => side - former.away[i])) / seconds : 0;
    former = { nowMs, away };
    const yaw = wrapped(Math.atan2(away[0], away[2]) - Math.atan2(own.look[0], own.look[2]));
    const wantedPitch = level ? -0.1 : Math.asin(away[1] / Math.max(distanceM, 0.01));
    const pitch = wantedPitch - Math.asin(own.look[1]);
    const aligned = Math.abs(yaw) < alignedRad && Math.abs(pitch) < alignedRad;
    if (looks ? aligned : distanceM < withinM && (level || speed < 2)) return 'there';
    const near = !looks && distanceM < withinM;
    press('ArrowLeft', !near && yaw > alignedRad / 2);
    press('ArrowRight', !near && yaw < -alignedRad / 2);
    press('ArrowUp', !near && pitch > alignedRad / 2);
    press('ArrowDown', !near && pitch < -alignedRad / 2);
    const wanted = Math.min(speedM_s, Math.sqrt(2 * brakesM_s2 * distanceM));
    const heads = Math.abs(yaw) < 0.5 && (level || Math.abs(pitch) < 0.5);
    press('KeyW', !near && !looks && heads && (level || speed < wanted));
    return '';
  };
  return new Promise((resolve) => {
    const endMs = performance.now() + patienceMs;
    let said = '';
    const frame = (nowMs) => {
      const { fly } = window.perigee;
      said = step(fly, nowMs) || said;
      const over = said === 'there' || nowMs > endMs;
      if (!over) return requestAnimationFrame(frame);
      for (const code of [...down]) press(code, false);
      resolve(said === 'there' ? '' : `${said || 'not there'}; own ${JSON.stringify(fly?.own)}; ships ${JSON.stringify(fly?.ships)}`);
    };
    requestAnimationFrame(frame);
  });
}

/** Goes to a place; throws Strayed if the avatar does not arrive. */
export async function go(tab, goal) {
  const failure = await tab.evaluate(steer, { patienceMs, ...goal });
  if (failure) throw new Strayed(`${JSON.stringify(goal)}: ${failure}`);
}

// Hover tag in a page: log-in, controls, and what the player sees. `perigee/` is perigee's package for browsers.
import { Session, WebSocketPath, buttons } from './perigee/index.js';
import { loadArena } from './arena.js';
import { Picture } from './picture.js';
import { matchTime, runnerOf, standingsOf } from './states.js';

const kinds = { pad: 'pad', 'power-up': 'power', torch: 'torch', ball: 'ball', runner: 'runner' };
const rowsMax = 18;
const pageMs = 200; // between two changes of the tables
const sparkMs = 250;

const find = (selector) => document.querySelector(selector);
const picture = new Picture(find('canvas'));
const down = new Set();
let pressed = 0;
let aimed; // [x, z] while the button of the mouse is down
let yawRad = 0;
let session;
let own;
let sparks = [];

addEventListener('keyup', ({ code }) => down.delete(code));
addEventListener('blur', () => down.clear());
addEventListener('keydown', (event) => {
  if (!session) return;
  down.add(event.code);
  if (event.code === 'Space') event.preventDefault();
  if (event.code === 'Space' && !event.repeat) pressed |= buttons.jump;
});
addEventListener('pointerdown', ({ clientX, clientY }) => (aimed = own && picture.aim(clientX, clientY, own.at)));
addEventListener('pointerup', () => (aimed = undefined));

/** The runner looks where it runs, or where it throws. */
function controls() {
  const axis = (plus, minus) => Number(plus.some((code) => down.has(code))) - Number(minus.some((code) => down.has(code)));
  const x = axis(['KeyD', 'ArrowRight'], ['KeyA', 'ArrowLeft']);
  const z = axis(['KeyS', 'ArrowDown'], ['KeyW', 'ArrowUp']);
  const runs = x !== 0 || z !== 0;
  if (aimed) yawRad = Math.atan2(...aimed);
  else if (runs) yawRad = Math.atan2(x, z);
  const held = (down.has('Space') ? buttons.jump : 0) | (aimed || down.has('KeyF') ? buttons.fire : 0);
  const input = { forward: runs && !aimed ? 1 : 0, yawRad, held, pressed };
  pressed = 0;
  return input;
}

/** Copies of what is drawn, with the states of runners. */
function thingsOf(scene, client) {
  const out = [];
  for (const entity of scene) {
    const kind = kinds[client.typeName(entity.type)];
    if (!kind) continue;
    const thing = { kind, at: [...entity.worldPositionM] };
    if (kind === 'runner') {
      const state = client.gameState(entity.handle, entity.type);
      if (!state) continue;
      Object.assign(thing, runnerOf(state), { handle: entity.handle, own: entity.own, name: client.playerName(entity.handle) || 'runner' });
    }
    out.push(thing);
  }
  return out;
}

function fill(table, head, rows) {
  const cells = (kind, words) => words.map((word) => Object.assign(document.createElement(kind), { textContent: word }));
  const lines = rows.map(({ words, of }) => {
    const line = document.createElement('tr');
    line.className = of;
    line.append(...cells('td', words));
    return line;
  });
  const first = document.createElement('tr');
  first.append(...cells('th', head));
  table.replaceChildren(first, ...lines);
}

function showClock(time, runners) {
  const sum = (team) => runners.reduce((all, runner) => all + (runner.team === team ? runner.score : 0), 0);
  find('#clock .one').textContent = sum('one');
  find('#clock .two').textContent = sum('two');
  find('#left').textContent = `${Math.floor(time.leftS / 60)}:${String(time.leftS % 60).padStart(2, '0')}`;
  find('#phase').textContent = time.plays ? `match ${time.match}` : 'break: the next match begins soon';
}

function showScores(runners) {
  const order = [...runners].sort((a, b) => b.score - a.score || a.name.localeCompare(b.name)).slice(0, rowsMax);
  const rows = order.map((runner) => ({
    words: [runner.name, runner.score],
    of: `${runner.team}${runner.own ? ' own' : ''}${runner.torch ? ' torch' : ''}`,
  }));
  fill(find('#scores table'), ['runner', 'points'], rows);
}

function showResult(time, standings, names) {
  const there = !time.plays && standings?.match === time.match && standings.outcome !== '';
  find('#result').hidden = !there;
  if (!there) return;
  const titles = { one: 'Orange wins', two: 'Blue wins', draw: 'A draw' };
  find('#result h2').textContent = titles[standings.outcome];
  const rows = standings.rows.map((row, place) => ({
    words: [`${place + 1}. ${names.get(row.runner) ?? 'has left'}`, row.score],
    of: `${row.team}${row.runner === own?.handle ? ' own' : ''}`,
  }));
  fill(find('#result table'), [`match ${standings.match}`, 'points'], rows);
}

function showOwn() {
  const team = { one: 'orange', two: 'blue' }[own.team] ?? 'no team yet';
  find('#you').textContent = own.torch ? `${own.name}, ${team}: touch the others!` : `${own.name}, ${team}: take a torch`;
  find('#fuel i').style.width = `${100 * own.fuel}%`;
  find('#career').textContent = `${own.matches} matches, ${own.wins} wins`;
}

/** Tags, hops, throws and blows: own ones where they are predicted, others' where they are drawn. */
function sparksAt(nowMs) {
  const mine = session.takeCues().filter(({ state }) => state === 'played').map(() => own.at);
  const others = session.takeHeard().map(({ positionM }) => positionM);
  const added = [...mine, ...others].map((at) => ({ kind: 'spark', at, endMs: nowMs + sparkMs }));
  sparks = [...sparks.filter(({ endMs }) => endMs > nowMs), ...added];
  return sparks;
}

function play(arena) {
  for (const id of ['#clock', '#scores', '#own', '#keys']) find(id).hidden = false;
  let shownMs = 0;
  const frame = (nowMs) => {
    let scene;
    try {
      scene = session.frame(nowMs, controls());
    } catch {
      return; // onEnd has said why
    }
    requestAnimationFrame(frame);
    const { client } = session;
    const things = thingsOf(scene, client);
    const runners = things.filter(({ kind }) => kind === 'runner');
    own = runners.find((runner) => runner.own) ?? own;
    if (!own) return;
    picture.draw(arena, [...things, ...sparksAt(nowMs)], own.at);
    if (nowMs - shownMs < pageMs) return;
    shownMs = nowMs;
    const time = matchTime(client.time().predictedTick);
    const world = client.worldState();
    showClock(time, runners);
    showScores(runners);
    showResult(time, world && standingsOf(world), new Map(runners.map(({ handle, name }) => [handle, name])));
    showOwn();
  };
  requestAnimationFrame(frame);
}

find('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const say = (text) => (find('#problem').textContent = text);
  form.querySelector('button').disabled = true;
  say('joining…');
  try {
    const arena = await loadArena('arena.gltf');
    session = await Session.join({
      game: new URL('hover_tag.wasm', location.href),
      player: { url: location.href, playerName: form.player.value, credential: '' },
      path: (gateway) => new WebSocketPath('relay', gateway),
      onEnd: (why) => {
        form.hidden = false;
        form.querySelector('button').disabled = false;
        say(why.message);
      },
    });
    form.hidden = true;
    form.player.blur();
    addEventListener('pagehide', () => session.leave());
    play(arena);
  } catch (error) {
    form.querySelector('button').disabled = false;
    say(error.message);
  }
});
/** For tests of the page. */
globalThis.hover = { get session() { return session; }, get own() { return own; } };

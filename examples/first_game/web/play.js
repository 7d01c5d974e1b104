// The game in a page: log-in, and what the player sees. `perigee/` is perigee's package for browsers.
import { Session, WebSocketPath } from './perigee/index.js';
import { Controls } from './controls.js';
import { column, stateOf, valueOf } from './state.js';
import { View } from './view.js';

const tableMs = 250; // between two changes of the table
const rowsMax = 20;

const find = (selector) => document.querySelector(selector);
const labels = new Map(); // of players, by handle
let session;
let view;
let controls;
let own;
let players = [];

/** Copies of what is drawn; of players with name and state. */
function thingsOf(scene, client, types) {
  const things = [];
  for (const { handle, type, parent, own, worldPositionM, worldRotation } of scene) {
    const name = client.typeName(type);
    const of = types.get(name);
    const thing = { handle, parent, own, of, at: [...worldPositionM], rotation: [...worldRotation] };
    if (of?.actor) {
      const state = client.gameState(handle, type);
      Object.assign(thing, { name: client.playerName(handle) || name, state: state && stateOf(state) });
    }
    things.push(thing);
  }
  return things;
}

function showNames() {
  for (const { handle, name, at, own } of players) {
    if (own) continue;
    const label = labels.get(handle) ?? find('#names').appendChild(document.createElement('span'));
    labels.set(handle, label);
    const place = view.placeOnScreen([at[0], at[1] + 1.3, at[2]]);
    label.textContent = name;
    label.hidden = !place;
    if (place) label.style.transform = `translate(${place[0]}px, ${place[1]}px) translate(-50%, -100%)`;
  }
  const there = new Set(players.map(({ handle }) => handle));
  for (const [handle, label] of labels) {
    if (there.has(handle)) continue;
    label.remove();
    labels.delete(handle);
  }
}

function row(kind, words, isOwn) {
  const line = document.createElement('tr');
  line.className = isOwn ? 'own' : '';
  line.append(...words.map((word) => Object.assign(document.createElement(kind), { textContent: word })));
  return line;
}

function showTable() {
  const lines = players.filter(({ state }) => state).map((player) => ({ ...player, value: valueOf(player.state) }));
  lines.sort((a, b) => b.value - a.value || a.name.localeCompare(b.name));
  const rows = lines.slice(0, rowsMax).map(({ name, value, own: isOwn }) => row('td', [name, value], isOwn));
  find('#players table').replaceChildren(row('th', ['player', column]), ...rows);
  find('#own').textContent = `${own.name} at ${own.at.map((side) => side.toFixed(1)).join(' ')}`;
}

function play(types) {
  for (const panel of ['#players', '#own', '#keys']) find(panel).hidden = false;
  let shownMs = 0;
  const frame = (nowMs) => {
    let scene;
    try {
      scene = session.frame(nowMs, controls.take(nowMs));
    } catch {
      return; // onEnd has said why
    }
    requestAnimationFrame(frame);
    const things = thingsOf(scene, session.client, types);
    players = things.filter(({ of }) => of?.actor);
    own = things.find((thing) => thing.own) ?? own;
    if (!own) return;
    const parent = things.find(({ handle }) => handle === own.parent);
    view.draw(things, own, parent?.rotation ?? [0, 0, 0, 1], controls);
    showNames();
    if (nowMs - shownMs < tableMs) return;
    shownMs = nowMs;
    showTable();
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
    const types = new Map((await (await fetch('shapes.json')).json()).map((type) => [type.name, type]));
    view ??= new View(find('canvas'), types.values());
    session = await Session.join({
      game: new URL('first_game.wasm', location.href),
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
    controls ??= new Controls(find('canvas'));
    play(types);
  } catch (error) {
    form.querySelector('button').disabled = false;
    say(error.message);
  }
});
addEventListener('pagehide', () => session?.leave());
/** For tests of the page. */
globalThis.game = { get own() { return own; }, get controls() { return controls; } };

// A player in node: joins with the token in a file, walks ahead for some seconds at 60 frames a
// second, jumps once a second, rests for a second without frames, as a page in a hidden tab, and
// prints what happened in one line.
//   play.mjs DIST TOKEN_FILE SECONDS
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [dist, tokenFile, seconds] = process.argv.slice(2);
const { Game, Session, buttons } = await import(pathToFileURL(`${dist}/index.js`).href);
const { UdpPath } = await import(pathToFileURL(`${dist}/../node/udp_path.js`).href);

const game = await Game.load();
const token = await readFile(tokenFile);
const began = performance.now();
const session = await Session.join({
  game,
  player: new Uint8Array(token),
  path: (gateway) => new UdpPath(gateway),
});
const joinedMs = performance.now() - began;
session.client.record(30);

let start;
let walkedM = 0;
let frames = 0;
let frameMs = 0;
let entities = 0;
const types = new Set();
const first = performance.now();
for (let next = first; next < first + seconds * 1000; next += 1000 / 60) {
  await sleep(Math.max(0, next - performance.now()));
  const now = performance.now();
  const pressed = frames % 60 === 30 ? buttons.jump : 0;
  const scene = session.frame(now, { forward: 1, pressed });
  ++frames;
  frameMs += performance.now() - now;
  entities = Math.max(entities, scene.count);
  for (const entity of scene) types.add(session.client.typeName(entity.type));
  const [x, , z] = scene.own.localPositionM;
  start ??= [x, z];
  walkedM = Math.max(walkedM, Math.hypot(x - start[0], z - start[1]));
}
const { corrections, rttMs, packetsLost } = session.client.telemetry();
const { predictedTick } = session.client.time();
await sleep(1000);
const restedTicks = session.client.time().predictedTick - predictedTick;
const state = session.state;
const flight = session.client.reportFlight(session.client.recording(), undefined, true);
const [half] = flight.halves;
session.leave();
console.log(
  `${state} at tick ${predictedTick}, joined in ${joinedMs.toFixed(0)} ms, walked ${walkedM.toFixed(1)} m, ` +
    `${corrections} corrections, ${restedTicks} ticks without frames, ${frames} frames of ${(frameMs / frames).toFixed(2)} ms, ` +
    `${entities} entities, ${half.ticks} ticks recorded, ${half.rerun.bitsDiffer} bits differ, rtt ${rttMs.toFixed(1)} ms, ${packetsLost} packets lost, types: ${[...types].join(' ')}`,
);

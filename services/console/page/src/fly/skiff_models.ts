/**
 * Skiff's entities, as sim/games/skiff/src/models.cpp builds them: decks are at y = 0 of their own
 * frames. Blocks without `decor` are those of the game.
 */
import { Parts, type Block, type Model } from '../draw/parts.js';
import { crateParts, person, stationPaint } from './skiff_shapes.js';

const deck = '#3a424f';
const hull = '#4b5666';
const wall = '#667286';
const dark = '#262d38';
const light = '#8fb6ff';
const warm = '#ffd9a0';
const ferryHull = '#3e4a5e';
const ferryWall = '#77859b';

type Point = [number, number, number];
const block = (low: Point, high: Point, color: string, more: Partial<Block> = {}): Block => ({ low, high, color, ...more });
const lamp = (low: Point, high: Point, color = light, glow = 1): Block => block(low, high, color, { glow, decor: true });

const wallM = 0.3;
const parapet = 1.1;
const roof = 4.3;
const trap = { x: -30, z: -12 };

function hall(): Block[] {
  const side = (low: Point, high: Point) => block(low, high, wall);
  return [
    side([-60, 0, -20], [-20, 4, -20 + wallM]),
    side([-60, 0, 20 - wallM], [-20, 4, 20]),
    side([-60, 0, -20], [-60 + wallM, 4, 20]),
    side([-20 - wallM, 0, -20], [-20, 4, -1]),
    side([-20 - wallM, 0, 1], [-20, 4, 20]),
    side([-20 - wallM, 3, -1], [-20, 4, 1]),
    block([-60, 4, -20], [trap.x - 1, roof, 20], hull),
    block([trap.x + 1, 4, -20], [-20, roof, 20], hull),
    block([trap.x - 1, 4, -20], [trap.x + 1, roof, trap.z - 1], hull),
    block([trap.x - 1, 4, trap.z + 1], [trap.x + 1, roof, 20], hull),
    lamp([-20, 3.72, -19], [-19.97, 3.8, -1.4]),
    lamp([-20, 3.72, 1.4], [-19.97, 3.8, 19]),
    lamp([-20, 0, -1.1], [-19.96, 3, -1.0], warm, 0.9),
    lamp([-20, 0, 1.0], [-19.96, 3, 1.1], warm, 0.9),
    lamp([-59, 3.96, -6], [-22, 3.99, -5.8], warm, 0.9),
    lamp([-59, 3.96, 5.8], [-22, 3.99, 6], warm, 0.9),
  ];
}

function gates(): Block[] {
  return [-50, -38, -26, -14, -2, 10].flatMap((z) => [
    block([22 - wallM / 2, 0, z - 3], [22 + wallM / 2, 3.3, z - 1], wall),
    block([22 - wallM / 2, 0, z + 1], [22 + wallM / 2, 3.3, z + 3], wall),
    block([22 - wallM / 2, 3, z - 1], [22 + wallM / 2, 3.3, z + 1], wall),
    lamp([22 + wallM / 2, 3.08, z - 0.9], [22.17, 3.2, z + 0.9]),
  ]);
}

function stairs(): Block[] {
  return Array.from({ length: 10 }, (_, i) =>
    block([-10 + 0.35 * i, 0, 30], [20, 0.3 * (i + 1), 36], i % 2 ? hull : '#546072'),
  );
}

function pillars(): Block[] {
  return Array.from({ length: 10 }, (_, i) => {
    const [x, z] = [-90 + 22 * Math.floor(i / 2), i % 2 === 0 ? -45 : 45];
    return [
      block([x - 0.5, 0, z - 0.5], [x + 0.5, 6, z + 0.5], wall),
      lamp([x - 0.52, 5.3, z - 0.52], [x + 0.52, 5.45, z + 0.52]),
    ];
  }).flat();
}

function stationLights(): Block[] {
  const along = Array.from({ length: 20 }, (_, i) => -95 + 10 * i).flatMap((x) => [
    lamp([x - 1.2, parapet - 0.16, 60.0 - wallM - 0.02], [x + 1.2, parapet - 0.1, 60.0 - wallM]),
    lamp([x - 1.2, parapet - 0.16, -60 + wallM], [x + 1.2, parapet - 0.1, -60 + wallM + 0.02]),
  ]);
  const edge = Array.from({ length: 24 }, (_, i) => -57.5 + 5 * i).map((z) =>
    lamp([99.5, 0, z - 0.3], [99.75, 0.05, z + 0.3], warm, 1),
  );
  return [...along, ...edge];
}

const keel: Block[] = [
  block([-88, -5, -48], [88, -1, 48], dark, { decor: true }),
  block([-60, -11, -26], [60, -5, 26], '#1d232d', { decor: true }),
  lamp([-88.05, -3.2, -47], [-88, -3, 47], light, 0.6),
  lamp([88, -3.2, -47], [88.05, -3, 47], light, 0.6),
];

const station: Block[] = [
  block([-100, -1, -60], [100, 0, 60], deck),
  block([-100, 0, -60], [100, parapet, -60 + wallM], hull),
  block([-100, 0, 60 - wallM], [100, parapet, 60], hull),
  block([-100, 0, -60], [-100 + wallM, parapet, 60], hull),
  ...hall(),
  block([-20, 0, 1], [0, 3, 1 + wallM], wall),
  block([-20, 0, -1 - wallM], [0, 3, -1], wall),
  ...gates(),
  ...stairs(),
  ...pillars(),
  ...stationLights(),
  ...keel,
];

function ferry(tint: string): Block[] {
  const side = (low: Point, high: Point) => block(low, high, ferryWall);
  const windows = Array.from({ length: 11 }, (_, i) => -25 + 5 * i).flatMap((z) => [
    lamp([10, -2.6, z - 1.6], [10.03, -1.9, z + 1.6], warm, 0.75),
    lamp([-10.03, -2.6, z - 1.6], [-10, -1.9, z + 1.6], warm, 0.75),
  ]);
  return [
    block([-10, -8, -30], [10, 0, 30], tint),
    side([10 - wallM, 0, -30], [10, 4, 30]),
    side([-10, 0, -30], [10, 4, -30 + wallM]),
    side([-10, 0, 30 - wallM], [10, 4, 30]),
    side([-10, 0, -30], [-10 + wallM, 4, -1]),
    side([-10, 0, 1], [-10 + wallM, 4, 30]),
    side([-10, 3, -1], [-10 + wallM, 4, 1]),
    ...windows,
    lamp([-10.04, -0.5, -29.5], [-10, -0.36, 29.5]),
    lamp([10, -0.5, -29.5], [10.04, -0.36, 29.5]),
    lamp([-10.05, 0, -1.14], [-9.7, 3, -1.0], light, 1),
    lamp([-10.05, 0, 1.0], [-9.7, 3, 1.14], light, 1),
    lamp([-7.5, -6.4, -30.3], [-3.5, -3.2, -30], '#9cc4ff', 1.6),
    lamp([3.5, -6.4, -30.3], [7.5, -3.2, -30], '#9cc4ff', 1.6),
    block([-8, -7, 30], [8, -2, 33], dark, { decor: true }),
    block([-5.5, -6, 33], [5.5, -3, 36], dark, { decor: true }),
  ];
}

const carousel: Block[] = [
  block([-25, -1, -20], [25, 0, 20], '#454c5c'),
  block([-18, -3, -14], [18, -1, 14], dark, { decor: true }),
  ...[-20, 20].map((z) => lamp([-25, -0.3, z - 0.03], [25, -0.2, z + 0.03])),
  ...[-25, 25].map((x) => lamp([x - 0.03, -0.3, -20], [x + 0.03, -0.2, 20])),
  lamp([-25, 0.004, -0.15], [25, 0.03, 0.15], light, 0.4),
];

const skiff: Block[] = [
  block([-4, -2.9, -6], [4, 0, 6], '#56637a'),
  block([3.8, 0, -6], [4, parapet, 6], ferryWall),
  block([-4, 0, -6], [-3.8, parapet, 6], ferryWall),
  block([-4, 0, -6], [4, parapet, -5.8], ferryWall),
  block([-4, 0, 5.8], [4, parapet, 6], ferryWall),
  block([-0.7, 0, 4.9], [0.7, 0.92, 5.5], dark, { decor: true }),
  lamp([-0.55, 0.92, 4.98], [0.55, 0.95, 5.42]),
  lamp([-3.4, -2, -6.25], [-1.2, -0.9, -6], '#9cc4ff', 1.7),
  lamp([1.2, -2, -6.25], [3.4, -0.9, -6], '#9cc4ff', 1.7),
  lamp([-4.03, -0.6, -5.5], [-4, -0.5, 5.8]),
  lamp([4, -0.6, -5.5], [4.03, -0.5, 5.8]),
  block([-3, -2.6, 6], [3, -0.8, 7.4], '#3c4656', { decor: true }),
  block([-1.6, -2.3, 7.4], [1.6, -1.2, 8.6], '#333c4a', { decor: true }),
];

const rotorRadius = 8;
const rotor: Block[] = Array.from({ length: 8 }, (_, i) => {
  const edge = Math.PI / 16;
  const [x, z] = [rotorRadius * Math.cos(edge), rotorRadius * Math.sin(edge)];
  return block([-x, 0, -z], [x, 0.3, z], i % 2 ? '#4e5a6d' : '#465165', { yawRad: (Math.PI / 8) * i });
});

const door: Block[] = [
  block([-0.1, -1.5, -1], [0.1, 1.5, 1], '#7d8ba3'),
  lamp([-0.115, 0.2, -0.85], [0.115, 0.28, 0.85], light, 1),
  lamp([-0.115, -0.9, -0.85], [0.115, -0.84, 0.85], light, 0.5),
];

const lift: Block[] = [
  block([-2, -4.3, -2], [2, 0, 2], '#58647a'),
  ...[-1.9, 1.82].flatMap((side) => [
    lamp([-1.9, 0.004, side], [1.9, 0.03, side + 0.08], warm, 0.9),
    lamp([side, 0.004, -1.9], [side + 0.08, 0.03, 1.9], warm, 0.9),
  ]),
];

const trapDoor: Block[] = [
  block([-0.975, -0.15, -0.975], [0.975, 0.15, 0.975], '#7d8ba3'),
  lamp([-0.8, 0.151, -0.05], [0.8, 0.16, 0.05], warm, 0.9),
];

const walkerLink: Block[] = [
  block([-0.9, -0.2, -0.25], [0.9, 0.2, 0.25], '#8a6a58'),
  block([-0.6, 0.2, -0.16], [0.6, 0.27, 0.16], '#5e463a', { decor: true }),
  lamp([-0.08, 0.27, -0.08], [0.08, 0.31, 0.08], '#ffb27a', 1),
];

const of = (blocks: Block[]): Model => ({ blocks, geometry: () => new Parts().blocks(blocks).geometry() });
const solid = (low: Point, high: Point) => [block(low, high, hull)];

export const skiffModels: Readonly<Record<string, Model>> = {
  station: { blocks: station, geometry: () => stationPaint(new Parts().blocks(station)).geometry() },
  station_door: of(door),
  ferry: of(ferry(ferryHull)),
  ferry_door: of(door),
  station_lift: of(lift),
  station_trap: of(trapDoor),
  station_rotor: of([...rotor, lamp([-0.5, 0.3, -0.5], [0.5, 0.34, 0.5], light, 0.8)]),
  carousel: of(carousel),
  gyre: of(ferry('#554a63')),
  skiff: of(skiff),
  walker_link: of(walkerLink),
  crate: { blocks: solid([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]), geometry: () => crateParts().geometry() },
  character: {
    blocks: solid([-0.4, -0.9, -0.4], [0.4, 0.9, 0.4]),
    geometry: () => person().geometry(),
    walks: true,
  },
};

/** Anything unknown: a box of its bounds. */
export function boxModel(low: readonly number[], high: readonly number[]): Model {
  return of([block(low as Point, high as Point, '#6b7890')]);
}

export interface Usable {
  verb: string;
  seat?: Point;
  strokeM?: number;
}

/** Skiff's types that a player can use, and how near: `use_reach_m` of tunables.hpp. */
export const usable: Readonly<Record<string, Usable>> = {
  station_door: { verb: 'open or close the door' },
  ferry_door: { verb: 'open or close the door' },
  station_trap: { verb: 'open or close the trap door' },
  station_lift: { verb: 'move the lift', strokeM: 4 },
  skiff: { verb: 'take the helm', seat: [0, 0.91, 4] },
};
export const useReachM = 3;
export const eyeM = 0.6;

// The states of states.hpp and the timetable of rules.hpp. A module with other durations needs them here.
const ticksPerS = 60;
const matchTicks = 180 * ticksPerS;
const breakTicks = 15 * ticksPerS;
export const fuelTicks = 75;
export const outcomes = ['', 'one', 'two', 'draw'];
/** NPCs have team 0. */
export const teams = ['none', 'one', 'two'];

export function matchTime(tick) {
  const ticks = tick % (matchTicks + breakTicks);
  const match = Math.floor(tick / (matchTicks + breakTicks)) + 1;
  const plays = ticks < matchTicks;
  return { match, plays, leftS: Math.ceil(((plays ? matchTicks : matchTicks + breakTicks) - ticks) / ticksPerS) };
}

/** Of others, the fields that everybody sees. */
export function runnerOf(view) {
  return {
    score: view.getUint16(18, true),
    wins: view.getUint16(26, true),
    matches: view.getUint16(28, true),
    team: teams[view.getUint8(30)] ?? 'none',
    torch: view.getUint8(31) !== 0,
    fuel: view.getUint8(34) / fuelTicks,
  };
}

/** The state of the world. */
export function standingsOf(view) {
  const rows = Array.from({ length: view.getUint8(2) }, (_, row) => ({
    runner: view.getUint32(8 + 8 * row, true),
    score: view.getUint16(12 + 8 * row, true),
    team: teams[view.getUint16(14 + 8 * row, true)] ?? 'none',
  }));
  return { match: view.getUint16(0, true), outcome: outcomes[view.getUint8(3)], rows };
}

// A player's state: the struct Runner of game.hpp, little-endian. A field that the game adds is read here.
export function stateOf(view) {
  return { laps: view.getUint16(0, true) };
}
/** A line of the page's table, and its last column's title. */
export const column = 'laps';
export const valueOf = (state) => state.laps;

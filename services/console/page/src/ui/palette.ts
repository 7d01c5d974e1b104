/** Colours of workers: of one lightness, far from those of good, warning and bad. */
const colors = [
  '#7fb2ff', '#c9a2ff', '#5fd4cf', '#f2b58a', '#f59ac0', '#a9cf76', '#8f9bff', '#e0c27a', '#6fc3ee', '#d59ce6',
];

export function workerColor(slot: number | undefined): string {
  return slot === undefined ? '#5b6577' : colors[slot % colors.length]!;
}

/** As red, green and blue from 0 to 1, in sRGB. */
export function workerRgb(slot: number | undefined): [number, number, number] {
  const number = Number.parseInt(workerColor(slot).slice(1), 16);
  return [((number >> 16) & 255) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}

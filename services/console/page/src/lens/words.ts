/** Lengths for people: with three digits. */
export function metresText(metres: number | undefined): string {
  if (metres === undefined || !Number.isFinite(metres)) return '–';
  if (metres < 0.0005) return '0 mm';
  if (metres < 0.1) return `${(metres * 1000).toFixed(metres < 0.01 ? 1 : 0)} mm`;
  return `${metres.toFixed(metres < 10 ? 3 : 1)} m`;
}

/** Buttons of an input. */
export const buttonNames: readonly [number, string][] = [
  [1, 'jump'], [2, 'run'], [4, 'jetpack'], [8, 'dampers'], [16, 'fire'], [32, 'alternate'], [64, 'dig'], [128, 'fill'],
];

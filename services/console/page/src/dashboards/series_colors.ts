/** Colours of lines: none of them is a threshold's. */
const colors = ['#8fb6ff', '#c9a2ff', '#5fd4cf', '#f59ac0', '#a5b4cb', '#7fc6a4', '#8f9bff', '#d9b98a', '#6fc3ee', '#b8c97a'];

export function seriesColor(i: number): string {
  return colors[i % colors.length]!;
}

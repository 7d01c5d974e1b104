/** Numbers for people. */

const dash = '–';

export function fixed(value: number | undefined, digits = 0): string {
  return value === undefined || !Number.isFinite(value) ? dash : value.toFixed(digits);
}

/** Milliseconds with as many digits as a reader can use. */
export function ms(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return dash;
  return value.toFixed(value < 10 ? 1 : 0);
}

export function count(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? dash : Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');
}

export function metres(value: number): string {
  return Math.abs(value) >= 1000 ? `${(value / 1000).toFixed(Math.abs(value) % 1000 === 0 ? 0 : 2)} km` : `${Math.round(value)} m`;
}

export function ago(seconds: number): string {
  if (seconds < 1.5) return 'now';
  if (seconds < 90) return `${Math.round(seconds)} s ago`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} d ago`;
}

export function clock(unixMs: number): string {
  return new Date(unixMs).toLocaleTimeString('en-GB');
}

export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

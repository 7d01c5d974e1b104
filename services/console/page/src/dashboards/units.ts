/** Values with the units of deploy/grafana/README.md. */

const binary = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const decimal = ['', 'k', 'M', 'G', 'T'];

function scaled(value: number, base: number, names: readonly string[], decimals: number | undefined): [string, string] {
  let size = Math.abs(value);
  let i = 0;
  while (size >= base && i < names.length - 1) {
    size /= base;
    ++i;
  }
  return [digits(Math.sign(value) * size, decimals), names[i]!];
}

function digits(value: number, decimals: number | undefined): string {
  if (decimals !== undefined) return value.toFixed(decimals);
  const size = Math.abs(value);
  if (size === 0 || Number.isInteger(value)) return String(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** The number and its unit. */
export function withUnit(value: number, unit: string, decimals?: number): [string, string] {
  if (!Number.isFinite(value)) return ['–', ''];
  switch (unit) {
    case 's': {
      const size = Math.abs(value);
      if (size === 0 || size >= 1) return size >= 120 ? [digits(value / 60, decimals), 'min'] : [digits(value, decimals), 's'];
      return size >= 1e-3 ? [digits(value * 1e3, decimals), 'ms'] : [digits(value * 1e6, decimals), 'µs'];
    }
    case 'm': return [digits(value, decimals), 'm'];
    case 'percentunit': return [digits(value * 100, decimals), '%'];
    case 'bytes': return scaled(value, 1024, binary, decimals);
    case 'Bps': return suffixed(scaled(value, 1000, decimal, decimals), 'B/s');
    case 'bps': return suffixed(scaled(value, 1000, decimal, decimals), 'bit/s');
    case 'pps': return suffixed(scaled(value, 1000, decimal, decimals), '/s');
    case 'reqps': return suffixed(scaled(value, 1000, decimal, decimals), '/s');
    default: return scaled(value, 1000, decimal, decimals);
  }
}

/** For an axis: without zeros at the end. */
export function axisText(value: number, unit: string): string {
  const [number, suffix] = withUnit(value, unit);
  const short = number.includes('.') ? number.replace(/0+$/, '').replace(/\.$/, '') : number;
  return suffix ? `${short} ${suffix}` : short;
}

function suffixed([number, prefix]: [string, string], unit: string): [string, string] {
  return [number, prefix + unit];
}

export function text(value: number, unit: string, decimals?: number): string {
  return withUnit(value, unit, decimals).filter(Boolean).join(' ');
}

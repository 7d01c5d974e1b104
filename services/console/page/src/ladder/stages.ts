/** The way of one key press, as tools/shell/waterfall.awk prints it, beside the budget of the talk. */
import { instant } from '../api/prometheus.js';

export interface Stage {
  name: string;
  /** Of a histogram, without perigee_ and _seconds; none: not measured. */
  family?: string;
  /** Of the median, and of the 99th percentile: half a ping is half of a round trip. */
  half?: 'both' | 'median';
  /** Of the talk, in milliseconds: a ping of 50 ms, 60 frames a second. */
  talkMs?: number;
  /** Measured within another stage, or beside the way. */
  within?: boolean;
  /** What it is. */
  about: string;
}

export const stages: readonly Stage[] = [
  { name: 'key to sample', family: 'client_sample_interval', half: 'median', talkMs: 18, about: 'A key waits for the next frame: half an interval on average, a whole one at worst.' },
  { name: 'sample to send', family: 'client_send_wait', about: 'Until a packet with the input leaves the client.' },
  { name: 'up, half a ping', family: 'client_rtt', half: 'both', talkMs: 25, about: 'Half of the network’s round trip.' },
  { name: 'gateway and fabric', family: 'sim_fabric_transit', about: 'From the gateway’s socket to the worker.' },
  { name: 'thereof in the gateway', family: 'gateway_receive_to_forward', within: true, about: 'Decrypted, checked and forwarded.' },
  { name: 'worker, until its tick', family: 'sim_input_wait', talkMs: 66, about: 'The talk has a playout buffer here; perigee’s client leads instead.' },
  { name: 'tick, until the gateway has its block', family: 'gateway_tick_to_gateway', talkMs: 16.6, about: 'The simulation step and the way of its result.' },
  { name: 'gateway, until blocks share a packet', family: 'gateway_block_hold', about: 'Blocks of several workers leave together.' },
  { name: 'down, half a ping', family: 'client_rtt', half: 'both', talkMs: 25, about: 'The other half of the round trip.' },
  { name: 'client, until rendered with the others', family: 'client_view_delay', talkMs: 16.6, about: 'Remote entities are drawn a little in the past, so that they move smoothly.' },
  { name: 'render', talkMs: 16.6, about: 'Yours, and not measured here.' },
  { name: 'graphics card', talkMs: 16.6, about: 'Yours, and not measured here.' },
  { name: 'monitor', talkMs: 30, about: 'Yours, and not measured here: 10 to 100 ms.' },
];

export const talkTotalMs = 231;

export interface Measured {
  p50Ms: number;
  p99Ms: number;
}

export interface Ladder {
  /** As `stages`; undefined: no measurement. */
  stages: (Measured | undefined)[];
  /** From sampling an input until the client knows its result. */
  fullLoop: Measured | undefined;
  /** From sampling an input to the frame with its full effect. */
  predicted: Measured | undefined;
}

const measuredOver = '1m';

async function quantile(family: string, q: number): Promise<number> {
  const [series] = await instant(
    `histogram_quantile(${q}, sum by (le) (rate(perigee_${family}_seconds_bucket[${measuredOver}])))`,
  );
  return (series?.values[0] ?? Number.NaN) * 1000;
}

async function measured(family: string): Promise<Measured | undefined> {
  const [p50Ms, p99Ms] = await Promise.all([quantile(family, 0.5), quantile(family, 0.99)]);
  return Number.isFinite(p50Ms) ? { p50Ms, p99Ms } : undefined;
}

/** Over all players, in the last minute. */
export async function measureLadder(): Promise<Ladder> {
  const families = [...new Set(stages.flatMap(({ family }) => family ?? []))];
  const extra = ['client_full_loop', 'client_input_to_display'];
  const found = new Map(
    await Promise.all([...families, ...extra].map(async (family) => [family, await measured(family)] as const)),
  );
  return {
    stages: stages.map(({ family, half }) => {
      const value = family === undefined ? undefined : found.get(family);
      if (!value || !half) return value;
      return { p50Ms: value.p50Ms / 2, p99Ms: half === 'both' ? value.p99Ms / 2 : value.p99Ms };
    }),
    fullLoop: found.get('client_full_loop'),
    predicted: found.get('client_input_to_display'),
  };
}

/** Prometheus, through the console. */
import { getJson } from './http.js';

export interface Series {
  labels: Record<string, string>;
  /** Unix seconds, and values beside them; of an instant query there is one. */
  times: number[];
  values: number[];
}

interface Answer {
  status: string;
  error?: string;
  data?: { result: { metric: Record<string, string>; value?: [number, string]; values?: [number, string][] }[] };
}

/** The console asks for four pages at a time. */
const asksMax = 3;
let asks = 0;
const waiting: (() => void)[] = [];

async function ask(path: string, parameters: Record<string, string>): Promise<Series[]> {
  if (asks >= asksMax) await new Promise<void>((resolve) => waiting.push(resolve));
  ++asks;
  try {
    const answer = await getJson<Answer>(`api/prometheus/${path}?${new URLSearchParams(parameters)}`);
    if (answer.status !== 'success') throw new Error(answer.error ?? 'Prometheus refuses the query');
    return (answer.data?.result ?? []).map(({ metric, value, values }) => {
      const points = values ?? (value ? [value] : []);
      return { labels: metric, times: points.map(([at]) => at), values: points.map(([, text]) => Number(text)) };
    });
  } finally {
    --asks;
    waiting.shift()?.();
  }
}

export function instant(query: string): Promise<Series[]> {
  return ask('query', { query });
}

export function range(query: string, beginS: number, endS: number, stepS: number): Promise<Series[]> {
  return ask('query_range', { query, start: String(beginS), end: String(endS), step: String(stepS) });
}

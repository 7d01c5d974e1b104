/** The part of Grafana's format that deploy/grafana/README.md describes. */
import { getJson } from '../api/http.js';

export const boardNames = ['overview', 'gateway_floods', 'latency_corrections', 'cluster_traffic'] as const;

export interface Threshold {
  color: 'green' | 'yellow' | 'orange' | 'red';
  value: number | null;
}

export interface Query {
  refId: string;
  expr: string;
  legendFormat: string;
  interval?: '5s' | '15s';
}

export interface Panel {
  id: number;
  type: 'row' | 'stat' | 'timeseries' | 'table';
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: {
    defaults: {
      unit: string;
      min?: number;
      max?: number;
      decimals?: number;
      noValue?: string;
      custom?: { fillOpacity: number; stacking?: { mode: string } };
      thresholds?: { steps: Threshold[] };
    };
  };
  options?: { colorMode?: 'value' | 'background' };
  targets?: Query[];
}

export interface Board {
  uid: string;
  title: string;
  description: string;
  templating: { list: { name: string; query: string }[] };
  panels: Panel[];
}

const boards = new Map<string, Promise<Board>>();

export function board(name: string): Promise<Board> {
  let found = boards.get(name);
  if (!found) {
    found = getJson<Board>(`dashboards/${name}.json`);
    boards.set(name, found);
    found.catch(() => boards.delete(name));
  }
  return found;
}

export interface Variables {
  /** Regular expression of instances. */
  worker: string;
  stepS: number;
}

/** An expression with its variables replaced. */
export function expression({ expr, interval }: Query, { worker, stepS }: Variables): string {
  const intervalS = seconds(interval);
  const rateS = Math.max(stepS + intervalS, 4 * intervalS);
  return expr.replaceAll('$__rate_interval', `${rateS}s`).replaceAll('$worker', worker);
}

/** The shortest step of a range query. */
export function shortestStepS({ interval }: Query): number {
  return seconds(interval);
}

export function legendOf({ legendFormat }: Query, labels: Readonly<Record<string, string>>): string {
  return legendFormat.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label: string) => labels[label] ?? '');
}

/** The last threshold that is not above the value. */
export function thresholdOf(steps: readonly Threshold[], value: number): Threshold['color'] {
  let color = steps[0]?.color ?? 'green';
  for (const step of steps) if (step.value === null || value >= step.value) color = step.color;
  return color;
}

export const thresholdColors: Readonly<Record<Threshold['color'], string>> = {
  green: 'var(--good)', yellow: 'var(--warn)', orange: 'var(--alert)', red: 'var(--bad)',
};

function seconds(interval: string | undefined): number {
  return interval ? Number.parseInt(interval, 10) : 1;
}

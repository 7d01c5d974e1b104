/** What is wrong in the cluster now, from its map. */
import type { Cluster } from '../model/cluster.js';

export interface Problem {
  tone: 'bad' | 'warn';
  title: string;
  sentence: string;
}

export function problemsOf(cluster: Cluster): Problem[] {
  const { map } = cluster;
  const problems: Problem[] = [];
  const add = (tone: Problem['tone'], title: string, sentence: string) => problems.push({ tone, title, sentence });
  if (cluster.unreachable) add('bad', 'No map', cluster.unreachable);
  if (!map) return problems;
  for (const worker of map.workers) {
    if (!worker.alive) add('bad', worker.name, 'The worker has not been heard of for 5 s. Its log and its crash report have the reason.');
    else if (!worker.standbyInSync) add('warn', worker.name, 'No other worker has everything that it has: if it dies now, its entities are lost.');
    if (worker.level === 'OVERLOAD_LEVEL_RELIEF') {
      add('bad', worker.name, 'The worker is overloaded: other workers must take load, or time slows down.');
    } else if (worker.level === 'OVERLOAD_LEVEL_STRETCHED') {
      add('warn', worker.name, 'Ticks take too long: distant things are sent to clients less often.');
    }
    if (worker.alive && (worker.lateMs ?? 0) > 100) add('warn', worker.name, `The worker is ${worker.lateMs!.toFixed(0)} ms behind world time.`);
  }
  for (const gateway of map.gateways) {
    if (!gateway.alive) add('bad', gateway.name, 'The gateway has not been heard of for 5 s. Its players reconnect through another one.');
  }
  const ownerless = map.regions.filter(({ owner }) => owner === undefined).map(({ region }) => region);
  if (ownerless.length > 0) add('bad', `Regions ${ownerless.join(', ')}`, 'They have no owner and are not simulated. Start a worker.');
  for (const { name, why } of map.refused) add('bad', name, why);
  if (cluster.rate < 1) {
    add('warn', 'World time', `It runs at ${(cluster.rate * 100).toFixed(0)} % of real time${map.ratePercent === undefined ? ', because workers are overloaded' : ', by order of an operator'}.`);
  }
  for (const status of cluster.statuses.values()) {
    if (status.groupsInDoubt > 0) {
      add('warn', status.name, `${status.groupsInDoubt} groups are in doubt: sent, but not acknowledged. ./perigee ctl in-doubt names the remedy.`);
    }
  }
  return problems;
}

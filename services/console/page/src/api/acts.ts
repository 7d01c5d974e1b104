import { postJson } from './http.js';
import type { SessionInfo, TechniquesInUse, WorkerRecordings } from './types.js';

/** An operator's act: a request of a service, and the command line that does the same. */
export interface Act<Reply = unknown> {
  name: string;
  request: object;
  command: string;
  /** What it does, for the confirmation. */
  consequence: string;
  /** A word for the button. */
  verb: string;
  /** Harms somebody if it is a mistake. */
  harmful: boolean;
  reply?: (reply: Reply) => string;
}

const ctl = (words: string) => `./perigee ctl ${words}`;
/** A word for a shell. */
export const quoted = (word: string) =>
  /^[\w.:@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

export type Axis = 'x' | 'y' | 'z';

export function splitRegion(region: number, axis?: Axis, atM?: number): Act<{ part: number }> {
  const words = `${axis ? ` --axis ${axis}` : ''}${atM === undefined ? '' : ` --at ${atM}`}`;
  return {
    name: 'split_region',
    request: {
      region,
      axis: axis ? `AXIS_${axis.toUpperCase()}` : 'AXIS_LONGEST',
      ...(atM === undefined ? {} : { atM }),
    },
    command: ctl(`split ${region}${words}`),
    consequence:
      atM === undefined
        ? `Region ${region} becomes two, at the plane that halves its load. Both keep their owner until one is moved.`
        : `Region ${region} becomes two at ${atM} m. Both keep their owner until one is moved.`,
    verb: 'Split',
    harmful: false,
    reply: ({ part }) => `The new region is ${part}.`,
  };
}

export function mergeRegion(region: number): Act {
  return {
    name: 'merge_region',
    request: { region },
    command: ctl(`merge ${region}`),
    consequence: `Region ${region} becomes one with the sibling from which it was split. Both must have the same owner.`,
    verb: 'Merge',
    harmful: false,
  };
}

export function moveRegion(region: number, worker: string): Act {
  return {
    name: 'move_region',
    request: { region, worker },
    command: ctl(`move ${region} ${quoted(worker)}`),
    consequence: `Region ${region} goes to ${worker}, during play. Its entities migrate within seconds.`,
    verb: 'Move',
    harmful: false,
  };
}

export function drainWorker(worker: string): Act {
  return {
    name: 'drain_worker',
    request: { worker },
    command: ctl(`drain ${quoted(worker)}`),
    consequence: `All regions of ${worker} go to other workers, and it gets no new ones.`,
    verb: 'Drain',
    harmful: false,
  };
}

export function undrainWorker(worker: string): Act {
  return {
    name: 'undrain_worker',
    request: { worker },
    command: ctl(`undrain ${quoted(worker)}`),
    consequence: `${worker} may have regions again.`,
    verb: 'Undrain',
    harmful: false,
  };
}

export function killWorker(worker: string, force = false): Act<{ successor: string }> {
  return {
    name: 'kill_worker',
    request: { worker, force },
    command: ctl(`kill ${quoted(worker)}${force ? ' --force' : ''}`),
    consequence: force
      ? `${worker} counts as dead at once. Without a standby its entities are lost.`
      : `${worker} counts as dead at once, as if it had crashed. Its standby takes over everything that it has.`,
    verb: 'Kill',
    harmful: true,
    reply: ({ successor }) => (successor ? `${successor} takes over.` : 'Nobody takes over.'),
  };
}

export function setBalance(on: boolean): Act {
  return {
    name: 'set_balance',
    request: { on },
    command: ctl(`balance ${on ? 'on' : 'off'}`),
    consequence: on
      ? 'Regions are split, merged and moved by load.'
      : 'Regions stay as they are, until an operator changes them.',
    verb: on ? 'Balance' : 'Stop balancing',
    harmful: false,
  };
}

export function setRate(percent?: number): Act {
  return {
    name: 'set_rate',
    request: percent === undefined ? {} : { percent },
    command: ctl(`dilate ${percent === undefined ? 'auto' : percent / 100}`),
    consequence:
      percent === undefined
        ? 'World time follows the load again.'
        : `World time runs at ${percent} % of real time, whatever the load.`,
    verb: 'Set',
    harmful: percent !== undefined && percent < 100,
  };
}

export function kickSession(clientId: string, name: string): Act {
  return {
    name: 'kick_session',
    request: { clientId },
    command: ctl(`kick '#${clientId}'`),
    consequence: `${name} is disconnected, and may log in again.`,
    verb: 'Kick',
    harmful: true,
  };
}

export function orderTechniques(
  clientId: string, name: string, settings: string,
): Act<{ players: TechniquesInUse[] }> {
  return {
    name: 'order_techniques',
    request: { clientId, settings },
    command: ctl(`techniques '#${clientId}' ${settings}`).trimEnd(),
    consequence: `The client of ${name} uses ${settings} from now on.`,
    verb: 'Order',
    harmful: false,
    reply: ({ players }) => players[0]?.techniques || 'The client has not answered yet.',
  };
}

/** 0 s frees the recorder. */
export function armRecorder(
  clientId: string, name: string, forS: number,
): Act<{ worker: string; recorders: number; inUse: number }> {
  return {
    name: 'arm_recorder',
    request: { clientId, forS },
    command: ctl(`record '#${clientId}'${forS === 0 ? ' --stop' : ''}`),
    consequence:
      forS === 0
        ? `The recorder of ${name} is freed, with all that it holds.`
        : `The worker of ${name} keeps the last 30 s of this player for ${forS / 60} min.`,
    verb: forS === 0 ? 'Stop' : 'Record',
    harmful: false,
    reply: ({ worker, recorders, inUse }) => `${inUse} of ${recorders} recorders of ${worker} are in use.`,
  };
}

export function perform<Reply>(act: Act<Reply>): Promise<Reply> {
  return postJson<Reply>(`api/act/${act.name}`, act.request);
}

const sessionsOnAPage = 1000;

/** Sessions that are not over, the newest first. */
export async function listSessions(): Promise<SessionInfo[]> {
  const request = { pageSize: sessionsOnAPage };
  return (await postJson<{ sessions: SessionInfo[] }>('api/act/list_sessions', request)).sessions;
}

/** Armed players and files of all workers. */
export async function listRecordings(): Promise<WorkerRecordings[]> {
  return (await postJson<{ workers: WorkerRecordings[] }>('api/act/list_recordings', {})).workers;
}

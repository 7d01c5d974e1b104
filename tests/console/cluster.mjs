// A cluster with a console, for tests of the pages. Everything is on loopback, and every wait has an
// end.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const readyWithinMs = 60_000;
const stopWithinMs = 10_000;
const bases = Array.from({ length: 40 }, (_, i) => 47_000 + 250 * i);
const offsets = { directory: 102, gateway: 100, session: 101, console: 103, page: 180, sim: 110 };

const folders = {
  directory: 'services/directory', session: 'services/session', gateway: 'gateway', sim: 'sim/worker', bots: 'client/bots',
  console: 'services/console',
};

/** The path of a program, by its name without perigee-: as CMake says, or of the release build. */
function program(name) {
  const built = fileURLToPath(new URL(`../../build/release/${folders[name]}/perigee-${name}`, import.meta.url));
  const path = process.env[`PERIGEE_${name.toUpperCase()}_BINARY`] ?? built;
  if (!existsSync(path)) throw new Error(`${path} does not exist: ./perigee build`);
  return path;
}

async function isFree(port) {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function freeBase() {
  const first = process.pid % bases.length;
  for (let i = 0; i < bases.length; ++i) {
    const base = bases[(first + i) % bases.length];
    const ports = [...Object.values(offsets), 10, 11, 12, 111].map((offset) => base + offset);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return base;
  }
  throw new Error('no ports are free for a cluster');
}

/** Tokens of operators that have one scope each. */
export const tokenOf = { players: 'token-of-alice-for-players', map: 'token-of-bob-for-the-map' };

export class Cluster {
  #processes = new Map();
  #folder = '';
  #base = 0;

  /**
   * Two workers that restart when they end, as a supervisor would do it. `gateway`: its further settings, from the first
   * port. `game`: a game's library in place of Skiff.
   */
  static async start({ bots = 0, gateway = () => [], game = '' } = {}) {
    const cluster = new Cluster();
    try {
      await cluster.#begin(bots, gateway, game);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get base() {
    return this.#base;
  }

  get folder() {
    return this.#folder;
  }

  get page() {
    return `http://127.0.0.1:${this.#base + offsets.page}/`;
  }

  async token() {
    return (await readFile(join(this.#folder, 'secrets/console_token'), 'utf8')).trim();
  }

  /** Ends the console and starts it again. */
  async restartConsole() {
    await this.#end('console');
    await sleep(1000);
    await this.#console();
  }

  async stop() {
    for (const name of [...this.#processes.keys()].reverse()) await this.#end(name);
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }

  async #begin(bots, gateway, game) {
    this.#folder = await mkdtemp(join(tmpdir(), 'perigee-console-'));
    this.#base = await freeBase();
    const worker = ['--directory', `127.0.0.1:${this.#base + 11}`, '--game', game];
    this.#run('directory', 'directory', ['--directory-workers', '2', '--directory-regions', '2', '--new-world']);
    await this.#ready('directory', offsets.directory);
    this.#run('gateway', 'gateway', gateway(this.#base));
    for (const index of [0, 1]) this.#run(`sim-${index}`, 'sim', [...worker, '--index', String(index)], true);
    this.#run('session', 'session', []);
    await this.#ready('gateway', offsets.gateway);
    for (const index of [0, 1]) await this.#ready(`sim-${index}`, offsets.sim + index);
    await this.#ready('session', offsets.session);
    await this.#console();
    if (bots > 0) this.#bots(bots);
  }

  async #console() {
    const operators = join(this.#folder, 'operators');
    await writeFile(operators, `alice players ${tokenOf.players}\nbob map ${tokenOf.map}\n`, { mode: 0o600 });
    this.#run('console', 'console', ['--console-operators', operators]);
    await this.#ready('console', offsets.console);
  }

  #bots(count) {
    const target = ['--session', `127.0.0.1:${this.#base + 10}`];
    this.#spawn('bots', program('bots'), [...target, '--count', String(count), '--seconds', '900', '--profile', 'P1']);
  }

  #run(name, kind, more, again = false) {
    const common = ['--port-base', String(this.#base), '--state-dir', this.#folder];
    this.#spawn(name, program(kind), [...common, ...more], again);
  }

  #spawn(name, path, words, again = false) {
    const child = spawn(path, words, {
      env: { ...process.env, PERIGEE_STATE_DIR: this.#folder }, stdio: ['ignore', 'pipe', 'pipe'],
    });
    const entry = { child, output: '', ending: false };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part) => (entry.output = (entry.output + part).slice(-20_000)));
    }
    child.on('exit', () => {
      if (again && !entry.ending) setTimeout(() => entry.ending || this.#spawn(name, path, words, again), 500).unref();
    });
    this.#processes.set(name, entry);
  }

  async #ready(name, offset) {
    const end = Date.now() + readyWithinMs;
    while (Date.now() < end) {
      const { child, output } = this.#processes.get(name);
      if (child.exitCode !== null) throw new Error(`${name} has ended: ${output}`);
      const answer = await fetch(`http://127.0.0.1:${this.#base + offset}/ready`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(100);
    }
    throw new Error(`${name} is not ready after ${readyWithinMs / 1000} s: ${this.#processes.get(name).output}`);
  }

  async #end(name) {
    const entry = this.#processes.get(name);
    if (!entry) return;
    entry.ending = true;
    const { child } = entry;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(stopWithinMs)]);
      child.kill('SIGKILL');
    }
    this.#processes.delete(name);
  }
}

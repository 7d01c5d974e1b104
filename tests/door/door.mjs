// A door as a process, and a web server for the page that plays through it.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const waitMs = 60_000;
const pollMs = 50;
const dist = new URL('../../client/browser/dist/', import.meta.url);
const types = { js: 'text/javascript', wasm: 'application/wasm', json: 'application/json' };

/** Waits for a true value. */
export async function comes(what, poll) {
  for (const end = Date.now() + waitMs; Date.now() < end; await sleep(pollMs)) {
    const value = await poll();
    if (value) return value;
  }
  throw new Error(`not within ${waitMs / 1000} s: ${what}`);
}

/** The value of a series in Prometheus' text, such as a_total{b="c"}. */
export async function metric(port, series) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  if (!line) throw new Error(`port ${port} has no metric ${series}`);
  return Number(line.slice(series.length + 1));
}

/** Serves client/browser/dist, and an empty page at /. */
export async function serve() {
  const server = createServer(async (request, response) => {
    const name = request.url.slice(1);
    if (name === '') return response.setHeader('content-type', 'text/html').end('<!doctype html><title>door</title>');
    try {
      const bytes = await readFile(new URL(name, dist));
      response.setHeader('content-type', types[name.split('.').at(-1)] ?? 'text/plain').end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export class Door {
  output = '';
  #child;

  constructor(words) {
    this.#child = spawn(process.env.PERIGEE_DOOR_BINARY, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr.on('data', (part) => (this.output += part));
    this.ended = new Promise((resolve) => this.#child.once('exit', (code, signal) => resolve(code ?? signal)));
  }

  /** What it logs once it is ready, by message. */
  async ready() {
    return comes('the door is ready', () => {
      if (this.#child.exitCode !== null) throw new Error(`the door has ended: ${this.output}`);
      const lines = this.output.split('\n').slice(0, -1).map((line) => JSON.parse(line));
      const said = Object.fromEntries(lines.map((line) => [line.message, line]));
      return said.ready && said;
    });
  }

  signal(name) {
    this.#child.kill(name);
  }

  async stop() {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

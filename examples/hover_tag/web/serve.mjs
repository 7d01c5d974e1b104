// The page on this machine: its files, perigee's package for browsers, and the game's module. Log-ins and datagrams
// go on to the cluster's console, which has a relay: serve.mjs PORT CONSOLE_PORT PACKAGE MODULE TOKEN_FILE
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const [port, consolePort, perigee, module, tokenFile] = process.argv.slice(2);
const console_ = { host: '127.0.0.1', port: Number(consolePort) };
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.wasm': 'application/wasm', '.gltf': 'model/gltf+json' };

/** The file of a path; only names, no folders, so no path leads elsewhere. */
function fileOf(path) {
  if (path === '/') return join(here, 'index.html');
  if (path === '/hover_tag.wasm') return module;
  if (path === '/arena.gltf') return join(here, '../arena.gltf');
  const [, folder, name] = /^\/(perigee\/)?([a-z_]+\.js)$/.exec(path) ?? [];
  return name && join(folder ? perigee : here, name);
}

/** A page of another server gets no token of this one. */
const isOwnPage = ({ headers: { host, origin } }) =>
  [`127.0.0.1:${port}`, `localhost:${port}`].includes(host) && origin === `http://${host}`;

/** As a page of the console itself. */
async function forwarded({ headers }) {
  const own = `${console_.host}:${console_.port}`;
  const token = (await readFile(tokenFile, 'utf8')).trim();
  return { ...headers, host: own, origin: `http://${own}`, authorization: `Bearer ${token}` };
}

const server = createServer(async (asked, answer) => {
  const refuse = (status, why) => answer.writeHead(status, { 'content-type': 'text/plain' }).end(`${why}\n`);
  try {
    const { pathname } = new URL(asked.url, 'http://page');
    if (pathname === '/v1/log_in') {
      if (!isOwnPage(asked)) return refuse(403, 'only the page of this server may log in');
      const on = request({ ...console_, method: asked.method, path: pathname, headers: await forwarded(asked) }, (reply) => {
        answer.writeHead(reply.statusCode, reply.headers);
        reply.pipe(answer);
      });
      on.on('error', () => refuse(502, 'the console does not answer; is the cluster running?'));
      asked.pipe(on);
      return;
    }
    const file = fileOf(pathname);
    if (!file) return refuse(404, 'there is no such file');
    const { size } = await stat(file);
    answer.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-length': size });
    createReadStream(file).pipe(answer);
  } catch (error) {
    refuse(500, error.message);
  }
});

server.on('upgrade', async (asked, socket, head) => {
  socket.on('error', () => {});
  const headers = await forwarded(asked).catch(() => undefined);
  if (!headers || !isOwnPage(asked) || !asked.url.startsWith('/relay?')) return socket.destroy();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const on = connect(console_, () => {
    on.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    on.write(head);
    on.pipe(socket).pipe(on);
  });
  on.on('error', () => socket.destroy());
  socket.on('close', () => on.destroy());
});

server.listen(Number(port), '127.0.0.1', () => console.log(`open http://127.0.0.1:${port}/`));

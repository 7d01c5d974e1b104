// A game's page on this machine, for one player: its files, perigee's package for browsers as `perigee/`, and the
// game's module. Log-ins and datagrams go on to the cluster's console, which has a relay:
//   serve.mjs PORT CONSOLE_PORT TOKEN_FILE FOLDER [FILE...]
// FOLDER has the page, index.html and what it loads; the FILEs are served beside it, under their own names.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const perigee = fileURLToPath(new URL('dist', import.meta.url));
const [port, consolePort, tokenFile, folder, ...files] = process.argv.slice(2);
const console_ = { host: '127.0.0.1', port: Number(consolePort) };
const named = new Map(files.map((file) => [basename(file), file]));
const types = {
  '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript', '.mjs': 'text/javascript',
  '.wasm': 'application/wasm', '.json': 'application/json', '.gltf': 'model/gltf+json', '.glb': 'model/gltf-binary',
  '.png': 'image/png', '.jpg': 'image/jpeg', '.svg': 'image/svg+xml', '.ogg': 'audio/ogg', '.mp3': 'audio/mpeg',
};

/** The file of a path: only a name, or one in perigee/, so no path leads elsewhere. */
function fileOf(path) {
  const [, ofPerigee, name] = /^\/(perigee\/)?([\w-][\w.-]*)$/.exec(path === '/' ? '/index.html' : path) ?? [];
  if (!name || !(extname(name) in types)) return undefined;
  if (ofPerigee) return join(perigee, name);
  return named.get(name) ?? join(folder, name);
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

async function logIn(asked, answer, refuse) {
  if (!isOwnPage(asked)) return refuse(403, 'only the page of this server may log in');
  const to = { ...console_, method: asked.method, path: '/v1/log_in', headers: await forwarded(asked) };
  const on = request(to, (reply) => {
    answer.writeHead(reply.statusCode, reply.headers);
    reply.pipe(answer);
  });
  on.on('error', () => refuse(502, 'the console does not answer; is the cluster running?'));
  asked.pipe(on);
}

async function sendFile(path, answer, refuse) {
  const file = fileOf(path);
  const found = file && (await stat(file).catch(() => undefined));
  if (!found?.isFile()) return refuse(404, 'there is no such file');
  const type = types[extname(file)];
  // A module that was built again is loaded again.
  answer.writeHead(200, { 'content-type': type, 'content-length': found.size, 'cache-control': 'no-cache' });
  createReadStream(file).on('error', () => answer.destroy()).pipe(answer);
}

const server = createServer(async (asked, answer) => {
  const refuse = (status, why) => answer.headersSent || answer.writeHead(status, { 'content-type': 'text/plain' }).end(`${why}\n`);
  try {
    const { pathname } = new URL(asked.url, 'http://page');
    if (pathname === '/v1/log_in') await logIn(asked, answer, refuse);
    else await sendFile(pathname, answer, refuse);
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

server.on('error', (error) => {
  const why = error.code === 'EADDRINUSE' ? 'another program has that port: is the page served already?' : error.message;
  console.error(`the page cannot be served on 127.0.0.1:${port}: ${why}`);
  process.exitCode = 1;
});
server.listen(Number(port), '127.0.0.1', () => console.log(`open http://127.0.0.1:${port}/`));

import { PerigeeError, sentenceOf } from './errors.js';

const patienceMs = 10_000;
const path = '/v1/log_in';

/** LogInRequest of proto/session.proto. */
export interface LogInRequest {
  playerName: string;
  credential: string;
  /** Of the game's module: Client.wireVersion and Client.schemaHash. */
  wireVersion: number;
  schemaHash: bigint;
  /** Region to appear in; the service chooses if it is absent. */
  wantedRegion?: number;
}

/** LogInReply of proto/session.proto. */
export interface LogInReply {
  /** Valid for 30 s, for one connection. */
  connectToken: Uint8Array;
  clientId: bigint;
  gatewayAddress: string;
  tickRateHz: number;
}

/** A refused log-in. `message` is the service's sentence. */
export class LogInError extends PerigeeError {
  override readonly name = 'LogInError';

  constructor(
    message: string,
    /** gRPC's name, such as UNAUTHENTICATED; empty if it was not the service that answered. */
    readonly status: string,
    /** Of HTTP; 0 without an answer. */
    readonly httpStatus: number,
    /** When to try again, if the service says so. */
    readonly retryAfterS?: number,
    options?: ErrorOptions,
  ) {
    super('log-in', message, options);
  }

  /** The module and the server are of different versions: load the page again, or update one. */
  get otherVersion(): boolean {
    return this.status === 'FAILED_PRECONDITION';
  }
}

export interface LogInOptions {
  signal?: AbortSignal;
  /** More headers, such as an Authorization for a proxy before the service. */
  headers?: Readonly<Record<string, string>>;
}

/** Logs in at the session service over HTTP. `url`: its address, such as https://HOST:PORT. */
export async function logIn(
  url: string | URL, request: LogInRequest, options: LogInOptions = {},
): Promise<LogInReply> {
  const target = new URL(path, new URL(url, globalThis.location?.href));
  const body = JSON.stringify({ ...request, schemaHash: request.schemaHash.toString() });
  let response: Response;
  let text: string;
  try {
    response = await fetch(target, {
      method: 'POST',
      headers: { ...options.headers, 'content-type': 'application/json' },
      body,
      signal: options.signal ?? AbortSignal.timeout(patienceMs),
    });
    text = await response.text();
  } catch (error) {
    throw new LogInError(
      `${target.origin} does not answer the log-in (${sentenceOf(error)}); is it running, and does it ` +
        'allow this page?',
      '', 0, undefined, { cause: error },
    );
  }
  const answer = parsed(text);
  if (!response.ok) throw refusal(target, response, answer);
  const reply = replyOf(answer);
  if (!reply) throw new LogInError(`what ${target.origin} answers is no log-in`, '', response.status);
  return reply;
}

type Json = Record<string, unknown>;

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

function refusal(target: URL, response: Response, answer: Json): LogInError {
  const error = (answer['error'] ?? {}) as Json;
  const { message, status } = error;
  const retry = Number(response.headers.get('retry-after') ?? NaN);
  return new LogInError(
    typeof message === 'string' && message !== ''
      ? message
      : `${target.origin} answers the log-in with ${response.status} ${response.statusText}`,
    typeof status === 'string' ? status : '',
    response.status,
    Number.isFinite(retry) ? retry : undefined,
  );
}

/** proto3 JSON leaves out what is 0 or empty. */
function replyOf(answer: Json): LogInReply | undefined {
  const { connectToken, clientId = '0', gatewayAddress = '', tickRateHz = 0 } = answer;
  if (typeof connectToken !== 'string' || typeof gatewayAddress !== 'string') return undefined;
  if (typeof tickRateHz !== 'number' || !/^\d+$/.test(String(clientId))) return undefined;
  const token = fromBase64(connectToken);
  if (!token) return undefined;
  return { connectToken: token, clientId: BigInt(String(clientId)), gatewayAddress, tickRateHz };
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

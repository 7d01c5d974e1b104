import { authorization } from './token.js';

/** A refused or failed request; `message` is a sentence for a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** Of HTTP; 0: no answer. */
    readonly httpStatus: number,
    /** Of gRPC, such as NOT_FOUND. */
    readonly status: string,
  ) {
    super(message);
  }
}

const patienceMs = 12_000;

interface Failure {
  error?: { message?: unknown; status?: unknown };
}

async function answerOf<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { signal: AbortSignal.timeout(patienceMs), ...init });
    text = await response.text();
  } catch {
    throw new ApiError('The console does not answer. Is perigee-console running?', 0, '');
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = {};
  }
  if (response.ok) return body as T;
  const { message, status } = (body as Failure).error ?? {};
  throw new ApiError(
    typeof message === 'string' && message !== '' ? message : `${path} answers with ${response.status}`,
    response.status,
    typeof status === 'string' ? status : '',
  );
}

export function getJson<T>(path: string): Promise<T> {
  return answerOf<T>(path, { headers: authorization() });
}

export function postJson<T>(path: string, body: unknown): Promise<T> {
  return answerOf<T>(path, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Throws an ApiError with the console's sentence. */
export async function getBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  let response: Response;
  try {
    response = await fetch(path, { headers: authorization(), signal: AbortSignal.timeout(patienceMs) });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new ApiError('The console does not answer. Is perigee-console running?', 0, '');
  }
  const body = (await response.json().catch(() => ({}))) as Failure;
  throw new ApiError(String(body.error?.message ?? `${path} answers with ${response.status}`), response.status, String(body.error?.status ?? ''));
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

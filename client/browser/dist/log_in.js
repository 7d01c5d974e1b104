import { PerigeeError, sentenceOf } from './errors.js';
const patienceMs = 10_000;
const path = '/v1/log_in';
/** A refused log-in. `message` is the service's sentence. */
export class LogInError extends PerigeeError {
    status;
    httpStatus;
    retryAfterS;
    name = 'LogInError';
    constructor(message, 
    /** gRPC's name, such as UNAUTHENTICATED; empty if it was not the service that answered. */
    status, 
    /** Of HTTP; 0 without an answer. */
    httpStatus, 
    /** When to try again, if the service says so. */
    retryAfterS, options) {
        super('log-in', message, options);
        this.status = status;
        this.httpStatus = httpStatus;
        this.retryAfterS = retryAfterS;
    }
    /** The module and the server are of different versions: load the page again, or update one. */
    get otherVersion() {
        return this.status === 'FAILED_PRECONDITION';
    }
}
/** Logs in at the session service over HTTP. `url`: its address, such as https://HOST:PORT. */
export async function logIn(url, request, options = {}) {
    const target = new URL(path, new URL(url, globalThis.location?.href));
    const body = JSON.stringify({ ...request, schemaHash: request.schemaHash.toString() });
    let response;
    let text;
    try {
        response = await fetch(target, {
            method: 'POST',
            headers: { ...options.headers, 'content-type': 'application/json' },
            body,
            signal: options.signal ?? AbortSignal.timeout(patienceMs),
        });
        text = await response.text();
    }
    catch (error) {
        throw new LogInError(`${target.origin} does not answer the log-in (${sentenceOf(error)}); is it running, and does it ` +
            'allow this page?', '', 0, undefined, { cause: error });
    }
    const answer = parsed(text);
    if (!response.ok)
        throw refusal(target, response, answer);
    const reply = replyOf(answer);
    if (!reply)
        throw new LogInError(`what ${target.origin} answers is no log-in`, '', response.status);
    return reply;
}
function parsed(text) {
    try {
        const value = JSON.parse(text);
        return typeof value === 'object' && value !== null ? value : {};
    }
    catch {
        return {};
    }
}
function refusal(target, response, answer) {
    const error = (answer['error'] ?? {});
    const { message, status } = error;
    const retry = Number(response.headers.get('retry-after') ?? NaN);
    return new LogInError(typeof message === 'string' && message !== ''
        ? message
        : `${target.origin} answers the log-in with ${response.status} ${response.statusText}`, typeof status === 'string' ? status : '', response.status, Number.isFinite(retry) ? retry : undefined);
}
/** proto3 JSON leaves out what is 0 or empty. */
function replyOf(answer) {
    const { connectToken, clientId = '0', gatewayAddress = '', tickRateHz = 0 } = answer;
    if (typeof connectToken !== 'string' || typeof gatewayAddress !== 'string')
        return undefined;
    if (typeof tickRateHz !== 'number' || !/^\d+$/.test(String(clientId)))
        return undefined;
    const token = fromBase64(connectToken);
    if (!token)
        return undefined;
    return { connectToken: token, clientId: BigInt(String(clientId)), gatewayAddress, tickRateHz };
}
function fromBase64(text) {
    try {
        return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}

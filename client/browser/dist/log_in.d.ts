import { PerigeeError } from './errors.js';
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
export declare class LogInError extends PerigeeError {
    /** gRPC's name, such as UNAUTHENTICATED; empty if it was not the service that answered. */
    readonly status: string;
    /** Of HTTP; 0 without an answer. */
    readonly httpStatus: number;
    /** When to try again, if the service says so. */
    readonly retryAfterS?: number | undefined;
    readonly name = "LogInError";
    constructor(message: string, 
    /** gRPC's name, such as UNAUTHENTICATED; empty if it was not the service that answered. */
    status: string, 
    /** Of HTTP; 0 without an answer. */
    httpStatus: number, 
    /** When to try again, if the service says so. */
    retryAfterS?: number | undefined, options?: ErrorOptions);
    /** The module and the server are of different versions: load the page again, or update one. */
    get otherVersion(): boolean;
}
export interface LogInOptions {
    signal?: AbortSignal;
    /** More headers, such as an Authorization for a proxy before the service. */
    headers?: Readonly<Record<string, string>>;
}
/** Logs in at the session service over HTTP. `url`: its address, such as https://HOST:PORT. */
export declare function logIn(url: string | URL, request: LogInRequest, options?: LogInOptions): Promise<LogInReply>;

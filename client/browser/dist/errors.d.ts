/** What kind of failure it is, for a program. */
export type Fault = 'no-webassembly' | 'no-websocket' | 'no-webtransport' | 'module-missing' | 'other-abi' | 'bad-argument' | 'bad-token' | 'bad-recording' | 'not-playing' | 'out-of-memory' | 'stopped' | 'log-in' | 'ended' | 'timeout';
/** Every error of this package. `message` is a sentence for a person. */
export declare class PerigeeError extends Error {
    readonly fault: Fault;
    readonly name: string;
    constructor(fault: Fault, message: string, options?: ErrorOptions);
}
/** The message of anything that was thrown. */
export declare function sentenceOf(error: unknown): string;

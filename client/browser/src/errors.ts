/** What kind of failure it is, for a program. */
export type Fault =
  | 'no-webassembly' // the browser has none, or it is switched off
  | 'no-websocket'
  | 'no-webtransport'
  | 'module-missing' // the game's module cannot be loaded, or is none
  | 'other-abi' // the module and this package are of different versions
  | 'bad-argument'
  | 'bad-token'
  | 'bad-recording' // not a flight recording, or not two halves of one flight
  | 'not-playing'
  | 'out-of-memory'
  | 'stopped' // a bug in perigee or in the game: the module cannot be used any more
  | 'log-in'
  | 'ended' // the session is over
  | 'timeout';

/** Every error of this package. `message` is a sentence for a person. */
export class PerigeeError extends Error {
  override readonly name: string = 'PerigeeError';

  constructor(
    readonly fault: Fault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The message of anything that was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import * as layout from './layout.js';

/** `token-expired` to `disconnected`: over; begin with another token. */
export type State = keyof typeof layout.states;

const names = new Map(Object.entries(layout.states).map(([name, value]) => [value as number, name]));

export function stateOf(value: number): State {
  return (names.get(value) ?? 'disconnected') as State;
}

/** No datagram will change it any more. */
export function isOver(state: State): boolean {
  return layout.states[state] <= layout.states.disconnected;
}

const sentences: Partial<Record<State, string>> = {
  'token-expired': 'the connection took longer than the token was valid; log in again',
  'token-invalid': 'the token is none; log in again',
  'timed-out': 'the server has not been heard of for too long',
  'response-timed-out': 'the server answered at first, and then no more',
  'request-timed-out': 'no server answered',
  denied: 'the server refused the connection: it is full, or an operator has ended the session',
  disconnected: 'the session has ended',
};

export function sentenceOfEnd(state: State): string {
  return sentences[state] ?? state;
}

import * as layout from './layout.js';
/** `token-expired` to `disconnected`: over; begin with another token. */
export type State = keyof typeof layout.states;
export declare function stateOf(value: number): State;
/** No datagram will change it any more. */
export declare function isOver(state: State): boolean;
export declare function sentenceOfEnd(state: State): string;

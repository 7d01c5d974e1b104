import * as layout from './layout.js';
const names = new Map(Object.entries(layout.states).map(([name, value]) => [value, name]));
export function stateOf(value) {
    return (names.get(value) ?? 'disconnected');
}
/** No datagram will change it any more. */
export function isOver(state) {
    return layout.states[state] <= layout.states.disconnected;
}
const sentences = {
    'token-expired': 'the connection took longer than the token was valid; log in again',
    'token-invalid': 'the token is none; log in again',
    'timed-out': 'the server has not been heard of for too long',
    'response-timed-out': 'the server answered at first, and then no more',
    'request-timed-out': 'no server answered',
    denied: 'the server refused the connection: it is full, or an operator has ended the session',
    disconnected: 'the session has ended',
};
export function sentenceOfEnd(state) {
    return sentences[state] ?? state;
}

// The package as it is checked in, and a check of errors.
import assert from 'node:assert/strict';

const dist = new URL('../../../../client/browser/dist/', import.meta.url);
export const perigee = await import(new URL('index.js', dist).href);
/** A module of the package that its users do not see. */
export const inside = (name) => import(new URL(`${name}.js`, dist).href);

/** A check for assert.throws and assert.rejects: an error of the package, of this kind, that says this. */
export const failure = (fault, words) => (error) => {
  assert.ok(error instanceof perigee.PerigeeError, String(error));
  assert.equal(error.fault, fault, error.message);
  assert.match(error.message, words);
  return true;
};

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inside } from './package.mjs';

const { Scene } = await inside('scene');
const { entity: place } = await inside('layout');

/** A memory whose views end when it is reserved anew, as those of WebAssembly. */
class FakeLibrary {
  bytes = new Uint8Array(64);
  #next = 64;

  allocate(bytes) {
    const address = this.#next;
    this.#next += bytes;
    const grown = new Uint8Array(this.#next);
    grown.set(this.bytes);
    this.bytes = grown;
    return address;
  }
  release() {}
}

/** Writes `count` entities; entity i has handle i + 1 and stands at (i, 2 i, 3 i). */
const entities = (library, count, own = -1) => (address, each, capacity) => {
  const view = new DataView(library.bytes.buffer);
  for (let i = 0; i < Math.min(count, capacity); ++i) {
    const at = address + i * each;
    view.setUint32(at + place.handle, i + 1, true);
    view.setUint32(at + place.parent, i, true);
    view.setUint32(at + place.flags, i === own ? 1 : 4, true);
    for (let axis = 0; axis < 3; ++axis) {
      view.setFloat64(at + place.worldPositionM + 8 * axis, i * (axis + 1), true);
    }
    view.setFloat64(at + place.smoothingM + 16, 0.5, true);
  }
  return count;
};

test('a scene shows what the module wrote', () => {
  const library = new FakeLibrary();
  const scene = new Scene(library).update(entities(library, 3, 1));
  assert.equal(scene.count, 3);
  const second = scene.at(1);
  assert.deepEqual([second.handle, second.parent, second.own, second.extrapolated], [2, 1, true, false]);
  assert.deepEqual([...second.worldPositionM], [1, 2, 3]);
  assert.deepEqual([...second.smoothingM], [0, 0, 0.5]);
  assert.equal(scene.own, second);
  assert.deepEqual([...scene].map(({ handle }) => handle), [1, 2, 3]);
  assert.equal(scene.at(2).extrapolated, true);
});

test('its objects are the same in each frame', () => {
  const library = new FakeLibrary();
  const scene = new Scene(library).update(entities(library, 3, 1));
  const [first, position] = [scene.at(0), scene.at(0).worldPositionM];
  assert.equal(scene.update(entities(library, 2)).at(0), first);
  assert.equal(scene.at(0).worldPositionM, position);
  assert.equal(scene.count, 2);
  assert.equal(scene.own, undefined);
});

test('it stays valid when the memory grows, and takes as many entities as there are', () => {
  const library = new FakeLibrary();
  const scene = new Scene(library).update(entities(library, 3));
  library.allocate(1000);
  library.bytes.fill(0);
  assert.deepEqual([...scene.at(2).worldPositionM], [2, 4, 6]);
  scene.update(entities(library, 1000, 999));
  assert.equal(scene.count, 1000);
  assert.deepEqual([...scene.own.worldPositionM], [999, 1998, 2997]);
});

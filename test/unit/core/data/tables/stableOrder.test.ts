import assert from 'node:assert/strict';
import { atOnce } from '../../../../../src/base/slices';
import { stableOrder } from '../../../../../src/core/data/tables/sortKeys';

/** Returns deterministic random numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

describe('stableOrder', () => {
  it('preserves the order of equal items for any number of items', () => {
    const random = numbers(3);
    for (const count of [0, 1, 2, 15, 16, 17, 33, 1_000, 5_000]) {
      const keys = Array.from({ length: count }, () => Math.floor(random() * 20));
      const compare = (a: number, b: number): number => (keys[a] ?? 0) - (keys[b] ?? 0);
      const expected = keys.map((_, index) => index).sort(compare);
      assert.deepEqual([...atOnce(stableOrder(count, compare))], expected);
    }
  });
});

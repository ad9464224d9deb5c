import assert from 'node:assert/strict';
import type { JsonValue } from '@bufbuild/protobuf';
import { isDeeperThan } from '../../../../src/service/handlers/machineCalls';

describe('isDeeperThan', () => {
  it('counts nested lists and objects', () => {
    const values: [JsonValue, number][] = [
      ['text', 0],
      [null, 0],
      [{ a: 1, b: [] }, 2],
      [[[1], { a: [null] }], 3],
    ];
    for (const [value, levels] of values) {
      assert.equal(isDeeperThan(value, levels), false);
      assert.equal(levels > 0 && isDeeperThan(value, levels - 1), levels > 0);
    }
  });

  it('stops at the limit', () => {
    const deep = Array.from({ length: 100_000 }).reduce<JsonValue>((inner) => [inner], 1);
    assert.equal(isDeeperThan(deep, 32), true);
  });
});

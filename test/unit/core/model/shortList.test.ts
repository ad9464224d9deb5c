import assert from 'node:assert/strict';
import { shortList } from '../../../../src/core/model/displayText';

describe('shortList', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `arm-${index}`);

  it('returns a short list unchanged', () => {
    assert.deepEqual(shortList([], 3), { shown: [], more: 0 });
    assert.deepEqual(shortList(names(3), 3), { shown: names(3), more: 0 });
  });

  it('never omits a single item', () => {
    assert.deepEqual(shortList(names(4), 3), { shown: names(4), more: 0 });
  });

  it('counts the omitted items', () => {
    assert.deepEqual(shortList(names(5), 3), { shown: names(3), more: 2 });
  });
});

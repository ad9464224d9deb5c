import assert from 'node:assert/strict';
import { shortList } from '../../../../src/core/model/displayText';

describe('shortList', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `arm-${index}`);

  it('keeps a list that is short enough', () => {
    assert.deepEqual(shortList([], 3), { shown: [], more: 0 });
    assert.deepEqual(shortList(names(3), 3), { shown: names(3), more: 0 });
  });

  it('never leaves out one alone', () => {
    assert.deepEqual(shortList(names(4), 3), { shown: names(4), more: 0 });
  });

  it('counts what it leaves out', () => {
    assert.deepEqual(shortList(names(5), 3), { shown: names(3), more: 2 });
  });
});

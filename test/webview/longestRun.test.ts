import assert from 'node:assert/strict';
import { longestRun } from '../../webview/ui/rowGeometry';

/** Returns the numbers that belong to the subsequence, in order. */
function run(...numbers: readonly number[]): readonly number[] {
  const indexes = longestRun(numbers);
  return numbers.filter((_, index) => indexes.has(index));
}

describe('the longest increasing subsequence', () => {
  it('contains all sorted numbers, and one of reversed numbers', () => {
    assert.deepEqual(run(1, 2, 5, 9), [1, 2, 5, 9]);
    assert.equal(run(9, 5, 2, 1).length, 1);
    assert.deepEqual(run(), []);
  });

  it('omits as few as possible', () => {
    assert.deepEqual(run(3, 4, 5, 0, 1, 2, 6), [0, 1, 2, 6]);
    assert.deepEqual(run(14, 15, 16, 17, 0, 1), [14, 15, 16, 17]);
    assert.equal(run(2, 8, 4, 9, 5, 6, 1, 7).length, 5);
  });
});

import assert from 'node:assert/strict';
import { mergeSeries } from '../../webview/ui/chart/plotOptions';

const doubles = (...values: readonly number[]): ArrayBuffer => new Float64Array(values).buffer;
const series = (x: readonly number[], y: readonly number[]) => ({
  x: doubles(...x),
  y: doubles(...y),
});

describe('mergeSeries', () => {
  it('shares positions, and leaves gaps for missing points', () => {
    const merged = mergeSeries([series([1, 3], [10, 30]), series([2, 3], [200, 300])]);
    assert.deepEqual(merged.x, [1, 2, 3]);
    assert.deepEqual(merged.y, [
      [10, undefined, 30],
      [undefined, 200, 300],
    ]);
  });

  it('preserves several points at one position, also out of order', () => {
    const merged = mergeSeries([series([2, 1, 2], [20, 10, 21]), series([2], [200])]);
    assert.deepEqual(merged.x, [1, 2, 2]);
    assert.deepEqual(merged.y, [
      [10, 20, 21],
      [undefined, 200, undefined],
    ]);
  });

  it('omits values that cannot be drawn', () => {
    assert.deepEqual(mergeSeries([series([1, 2], [NaN, Infinity])]).y, [[undefined, undefined]]);
    assert.deepEqual(mergeSeries([]), { x: [], y: [] });
  });
});

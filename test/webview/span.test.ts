import assert from 'node:assert/strict';
import {
  hasMultipleXValues,
  isWhole,
  moveSpanTo,
  type Span,
  spanWithin,
  zoomSpan,
} from '../../webview/ui/chart/span';

const positions = [1, 2, 2, 5, 9];
const whole: Span = { start: 1, end: 9 };
const endless: Span = { start: -Infinity, end: Infinity };

describe('the visible range of a chart', () => {
  it('is limited to the points, or contains all if it has none', () => {
    assert.deepEqual(spanWithin({ start: 2, end: 20 }, positions), { start: 2, end: 9 });
    assert.deepEqual(spanWithin(endless, positions), whole);
    assert.deepEqual(spanWithin({ start: 20, end: 30 }, positions), whole);
    assert.deepEqual(spanWithin({ start: 5, end: 5 }, positions), whole);
    assert.deepEqual(spanWithin(endless, []), { start: 0, end: 0 });
  });

  it('contains everything if it includes the first and the last point', () => {
    assert.ok(isWhole(endless, positions));
    assert.ok(isWhole(endless, []));
    assert.ok(isWhole({ start: 1, end: 9 }, positions));
    assert.ok(!isWhole({ start: 1, end: 8 }, positions));
  });

  it('counts as several points only with several positions', () => {
    assert.ok(hasMultipleXValues({ start: 2, end: 5 }, positions));
    assert.ok(!hasMultipleXValues({ start: 1.5, end: 4 }, positions));
    assert.ok(!hasMultipleXValues({ start: 3, end: 4 }, positions));
    assert.ok(!hasMultipleXValues(endless, []));
  });

  it('zooms around a position within it', () => {
    assert.deepEqual(zoomSpan({ start: 2, end: 6 }, 3, 0.5), { start: 2, end: 4 });
    assert.deepEqual(zoomSpan({ start: 2, end: 6 }, 4, 2), { start: 0, end: 8 });
  });

  it('scrolls to a hidden position with the same length, within the limits', () => {
    assert.deepEqual(moveSpanTo(3, { start: 2, end: 4 }, positions), { start: 2, end: 4 });
    assert.deepEqual(moveSpanTo(5, { start: 1, end: 3 }, positions), { start: 4, end: 6 });
    assert.deepEqual(moveSpanTo(9, { start: 1, end: 3 }, positions), { start: 7, end: 9 });
    assert.deepEqual(moveSpanTo(1, { start: 7, end: 9 }, positions), { start: 1, end: 3 });
  });
});

import assert from 'node:assert/strict';
import {
  MAX_CANVAS,
  RowGeometry,
  ScrollMapping,
  toMovedIndex,
  toNearestMovedIndex,
} from '../../webview/ui/rowGeometry';

describe('row positions', () => {
  it('follow moved rows, and report removed ones', () => {
    const moves = [
      { at: 10, by: 3 },
      { at: 20, by: -2 },
      { at: 5, by: 0 },
    ];
    const moved = [9, 10, 16, 17, 18, 19].map((index) => toMovedIndex(index, moves));
    assert.deepEqual(moved, [9, 13, 19, undefined, undefined, 20]);
    assert.deepEqual(
      [9, 17, 18, 19].map((index) => toNearestMovedIndex(index, moves)),
      [9, 20, 20, 20],
    );
  });

  it('map rows to pixels and back, including taller rows', () => {
    const geometry = new RowGeometry(20, 20);
    geometry.setRange(-5, 1_000_000);
    geometry.setExtra(0, 100);
    geometry.setExtra(3, 7);
    for (const index of [-5, -1, 0, 1, 3, 4, 999_999]) {
      const top = geometry.getRowTop(index);
      assert.equal(geometry.findRowAt(top), index);
      assert.equal(geometry.findRowAt(top + geometry.getRowHeight(index) - 1), index);
      assert.equal(geometry.getRowTop(index + 1), top + geometry.getRowHeight(index));
    }
    assert.equal(geometry.total, 20 + 1_000_005 * 20 + 107);
    assert.deepEqual([geometry.findRowAt(0), geometry.findRowAt(1e12)], [-5, 999_999]);
  });

  it('move taller rows, and remove deleted ones', () => {
    const geometry = new RowGeometry(20);
    geometry.setRange(0, 100);
    geometry.setExtra(10, 5);
    geometry.setExtra(50, 9);
    geometry.move([{ at: 20, by: 4 }]);
    geometry.setRange(11, 104);
    assert.equal(geometry.getExtraHeight(54), 9);
    assert.equal(geometry.total, 93 * 20 + 9);
  });
});

describe('scrolling beyond the maximum height of a browser', () => {
  const viewport = 600;

  it('is native while everything fits', () => {
    const mapping = new ScrollMapping();
    assert.equal(mapping.toScrollOffset(1_234, 100_000, viewport), 1_234);
    assert.equal(mapping.getTopAfterScroll(1_234, 1_234, 90_000, 100_000, viewport), 90_000);
  });

  it('reaches both ends and everything between them', () => {
    const total = 40 * MAX_CANVAS;
    const mapping = new ScrollMapping();
    const canvasRoom = MAX_CANVAS - viewport;
    assert.equal(mapping.canvas(total), MAX_CANVAS);
    assert.equal(mapping.getTopAfterScroll(0, 0, canvasRoom, total, viewport), total - viewport);
    const middle = mapping.getTopAfterScroll(
      total - viewport,
      canvasRoom,
      canvasRoom / 2,
      total,
      viewport,
    );
    assert.equal(middle, (total - viewport) / 2);
    // The visible content must be at the browser's scroll position.
    assert.equal(middle + mapping.lead, canvasRoom / 2);
    assert.equal(mapping.getTopAfterScroll(middle, canvasRoom / 2, 0, total, viewport), 0);
  });

  it('is pixel-exact over short distances, and corrected afterwards without moving visible rows', () => {
    const total = 40 * MAX_CANVAS;
    const mapping = new ScrollMapping();
    const scrolled = mapping.toScrollOffset(1_000_000, total, viewport);
    const top = mapping.getTopAfterScroll(1_000_000, scrolled, scrolled + 100, total, viewport);
    assert.equal(top, 1_000_100);
    assert.equal(top + mapping.lead, scrolled + 100);
    const scrollOffset = mapping.toScrollOffset(top, total, viewport);
    assert.equal(top + mapping.lead, scrollOffset);
  });
});

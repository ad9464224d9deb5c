import assert from 'node:assert/strict';
import type { BoxView } from '../../src/shared/data/boxes';
import { drawBoxes, fitText } from '../../webview/data/boxes/drawBoxes';

/** A context in which each character is 10 pixels wide. */
const measureText = (text: string) => ({ width: Array.from(text).length * 10 }) as TextMetrics;

describe('fitText', () => {
  const fit = (text: string, width: number): string => fitText({ measureText }, text, width);

  it('truncates a label to the width of its box', () => {
    assert.deepEqual(
      [200, 60, 59, 20, 19, 0].map((width) => fit('forklift', width)),
      ['forklift', 'forkl…', 'fork…', 'f…', '', ''],
    );
    assert.equal(fit('😀😀😀', 20), '😀…');
  });
});

describe('drawBoxes', () => {
  /**
   * Draws boxes on a square of 100 pixels; returns the left, top, width, and height of each label
   * strip.
   */
  function strips(boxes: readonly BoxView[], fontSize = 12): readonly (readonly number[])[] {
    const strips: number[][] = [];
    const context = new Proxy(
      { measureText, fillRect: (...strip: number[]) => strips.push(strip) },
      {
        get: (target: object, name): unknown => Reflect.get(target, name) ?? (() => undefined),
        set: () => true,
      },
    ) as CanvasRenderingContext2D;
    drawBoxes(context, boxes, { x: 0, y: 0, width: 100, height: 100 }, { fontSize });
    return strips;
  }

  it('draws labels within their boxes', () => {
    const box = { id: '1', label: 'forklift', xMin: 0.1, yMin: 0.5, yMax: 0.9 };
    assert.deepEqual(strips([{ ...box, xMax: 0.9 }]), [[10, 50, 76, 18]]);
    assert.deepEqual(strips([{ ...box, label: 'cup', xMax: 0.9 }]), [[10, 50, 36, 18]]);
  });

  it('draws no label that is truncated to two letters, or that covers more than half of its box', () => {
    const box = { id: '1', label: 'forklift', xMin: 0.1, yMin: 0.5, xMax: 0.9, yMax: 0.9 };
    assert.deepEqual(strips([{ ...box, xMax: 0.45 }]), []);
    assert.equal(strips([{ ...box, xMax: 0.56 }]).length, 1);
    assert.deepEqual(strips([{ ...box, yMax: 0.85 }]), []);
    assert.equal(strips([{ ...box, yMax: 0.85 }], 10).length, 1);
  });
});

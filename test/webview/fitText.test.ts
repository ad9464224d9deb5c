import assert from 'node:assert/strict';
import { drawBoxes, fitText } from '../../webview/data/boxes/drawBoxes';

/** A context in which each character is 10 pixels wide. */
const measureText = (text: string) => ({ width: Array.from(text).length * 10 }) as TextMetrics;

describe('fitText', () => {
  const fit = (text: string, width: number): string => fitText({ measureText }, text, width);

  it('cuts a label to the width of its box', () => {
    assert.deepEqual(
      [200, 60, 59, 20, 19, 0].map((width) => fit('forklift', width)),
      ['forklift', 'forkl…', 'fork…', 'f…', '', ''],
    );
    assert.equal(fit('😀😀😀', 20), '😀…');
  });
});

describe('drawBoxes', () => {
  it('draws no label wider than its box', () => {
    const strips: number[] = [];
    const context = new Proxy(
      { measureText, fillRect: (_x: number, _y: number, width: number) => strips.push(width) },
      {
        get: (target: object, name): unknown => Reflect.get(target, name) ?? (() => undefined),
        set: () => true,
      },
    ) as CanvasRenderingContext2D;
    const box = { label: 'forklift', xMin: 0.1, yMin: 0.5, yMax: 0.9 };
    const boxes = [0.2, 0.5, 0.9].map((xMax, index) => ({ ...box, id: String(index), xMax }));
    drawBoxes(context, boxes, { x: 0, y: 0, width: 100, height: 100 });
    assert.deepEqual(strips, [36, 76]);
  });
});

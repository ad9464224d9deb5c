import assert from 'node:assert/strict';
import { decode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { encodeImage } from '../../../../src/simulate/images/encodeImage';
import { hallScene } from '../../../../src/simulate/images/hallScene';
import { Random } from '../../../../src/simulate/random';

const NOON = new Date('2026-03-01T12:00:00Z');
const WIDTH = 320;
const HEIGHT = 240;
const SCENES = 40;

function scene(name: string) {
  return hallScene(new Random(name), NOON, WIDTH, HEIGHT);
}

describe('hallScene', () => {
  it('returns boxes within the image that are not hidden', () => {
    const labels = new Set<string>();
    for (let index = 0; index < SCENES; index += 1) {
      const { objects } = scene(`scene ${index}`);
      assert.ok(objects.length > 0);
      for (const { label, xMin, yMin, xMax, yMax } of objects) {
        labels.add(label);
        assert.ok(xMin >= 0 && yMin >= 0 && xMax <= 1 && yMax <= 1);
        assert.ok(xMin < xMax && yMin < yMax);
      }
    }
    assert.deepEqual([...labels].sort(), ['box', 'cone', 'pallet', 'person']);
  });

  it('draws each object up to the sides of its box', () => {
    // Cones are the only orange objects, so an isolated cone can be identified by its color.
    let found = 0;
    for (let index = 0; found < 3; index += 1) {
      const { canvas, objects } = scene(`cone ${index}`);
      const [cone] = objects;
      if (objects.length !== 1 || cone?.label !== 'cone') continue;
      found += 1;
      const columns: number[] = [];
      const rows: number[] = [];
      for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel += 1) {
        const [red = 0, green = 0, blue = 0] = canvas.pixels.subarray(pixel * 4, pixel * 4 + 3);
        if (red > 1.8 * green && green > 1.5 * blue) {
          columns.push(pixel % WIDTH);
          rows.push(Math.floor(pixel / WIDTH));
        }
      }
      const seen = [
        Math.min(...columns),
        Math.min(...rows),
        Math.max(...columns) + 1,
        Math.max(...rows) + 1,
      ];
      const { xMin, yMin, xMax, yMax } = cone;
      const expected = [xMin * WIDTH, yMin * HEIGHT, xMax * WIDTH, yMax * HEIGHT];
      for (const [side, pixel] of seen.entries()) {
        assert.ok(
          Math.abs(pixel - (expected[side] ?? NaN)) <= 1,
          `${seen.join()} ${expected.join()}`,
        );
      }
    }
  });

  it('is the same for the same random numbers', () => {
    assert.deepEqual(scene('again').canvas.pixels, scene('again').canvas.pixels);
    assert.notDeepEqual(scene('again').canvas.pixels, scene('other').canvas.pixels);
  });
});

describe('encodeImage', () => {
  const { canvas } = scene('picture');

  it('writes PNG files that preserve every pixel', () => {
    const { width, height, data } = PNG.sync.read(Buffer.from(encodeImage(canvas, 'png')));
    assert.deepEqual([width, height], [WIDTH, HEIGHT]);
    assert.deepEqual(data, canvas.pixels);
  });

  it('writes JPEG files that look the same', () => {
    const { width, height, data } = decode(encodeImage(canvas, 'jpeg'));
    assert.deepEqual([width, height], [WIDTH, HEIGHT]);
    const difference = data.reduce(
      (sum, value, index) => sum + Math.abs(value - (canvas.pixels[index] ?? 0)),
      0,
    );
    assert.ok(difference / data.length < 5, String(difference / data.length));
  });
});

import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { encode } from 'jpeg-js';
import {
  applyOrientation,
  decodeImage,
} from '../../../../../src/service/training/process/decodeImage';
import { loadSquares } from '../../../../../src/service/training/process/loadSquares';
import { resizeToSquare } from '../../../../../src/service/training/process/resize';
import { Canvas } from '../../../../../src/simulate/images/canvas';
import { encodeImage } from '../../../../../src/simulate/images/encodeImage';
import { TestFolder } from '../../../../support/archives';

/** Returns a JPEG with an EXIF segment that contains only the orientation. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

const numbers = (width: number, height: number) => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height * 4 }, (_, at) => Math.floor(at / 4)),
});
const firsts = ({ pixels }: { pixels: Uint8Array }): number[] =>
  [...pixels].filter((_, at) => at % 4 === 0);

describe('training images', () => {
  it('are decoded by their content, JPEG or PNG', () => {
    const canvas = new Canvas(20, 10);
    canvas.rectangle(0, 0, 20, 10, [200, 100, 50]);
    for (const format of ['jpeg', 'png'] as const) {
      const { width, height, pixels } = decodeImage(Buffer.from(encodeImage(canvas, format)));
      assert.deepEqual([width, height], [20, 10]);
      assert.ok(Math.abs((pixels[0] ?? 0) - 200) < 4);
    }
  });

  it('are rejected when they have another format, are truncated, or are too large', () => {
    assert.throws(() => decodeImage(Buffer.from('GIF89a')), /neither a JPEG nor a PNG/);
    const png = Buffer.from(encodeImage(new Canvas(20, 10), 'png'));
    assert.throws(() => decodeImage(png.subarray(0, 60)));
    png.writeUInt32BE(100_000, 16);
    png.writeUInt32BE(100_000, 20);
    assert.throws(() => decodeImage(png), /too large/);
    png.writeUInt32BE(1, 16);
    assert.throws(() => decodeImage(png), /too large/);
    assert.throws(() => decodeImage(Buffer.from([0xff, 0xd8, 0xff, 0xe0])));
  });

  it('are skipped and reported when their files are too large', async () => {
    using folder = new TestFolder();
    const picture = encodeImage(new Canvas(20, 10), 'png');
    const files = [folder.file('one.png', picture), folder.file('large.png', picture)];
    truncateSync(files[1] ?? '', 200 * 1024 * 1024);
    const messages: string[] = [];
    const loaded = await loadSquares(
      files.map((file) => ({ file, classes: [], boxes: [] })),
      8,
      (message) => {
        messages.push(message);
        return Promise.resolve();
      },
    );
    assert.deepEqual(
      loaded.map(({ file }) => file),
      files.slice(0, 1),
    );
    assert.deepEqual(messages, [
      '1 image could not be read and is skipped: the file is too large. Only JPEG and PNG files are supported.',
    ]);
  });

  it('are rotated according to their orientation', () => {
    // 0 1 2
    // 3 4 5
    const picture = numbers(3, 2);
    assert.deepEqual(firsts(applyOrientation(picture, 1)), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(firsts(applyOrientation(picture, 2)), [2, 1, 0, 5, 4, 3]);
    assert.deepEqual(firsts(applyOrientation(picture, 3)), [5, 4, 3, 2, 1, 0]);
    assert.deepEqual(firsts(applyOrientation(picture, 4)), [3, 4, 5, 0, 1, 2]);
    assert.deepEqual(firsts(applyOrientation(picture, 5)), [0, 3, 1, 4, 2, 5]);
    assert.deepEqual(firsts(applyOrientation(picture, 6)), [3, 0, 4, 1, 5, 2]);
    assert.deepEqual(firsts(applyOrientation(picture, 7)), [5, 2, 4, 1, 3, 0]);
    assert.deepEqual(firsts(applyOrientation(picture, 8)), [2, 5, 1, 4, 0, 3]);
    const jpeg = encode({ width: 16, height: 8, data: Buffer.alloc(16 * 8 * 4, 128) }, 90).data;
    const { width, height } = decodeImage(withOrientation(jpeg, 6));
    assert.deepEqual([width, height], [8, 16]);
  });

  it('are resized to squares in which each pixel averages its area', () => {
    const canvas = new Canvas(100, 50);
    canvas.rectangle(0, 0, 100, 50, [0, 0, 0]);
    canvas.rectangle(50, 0, 51, 50, [255, 255, 255]);
    const square = resizeToSquare({ width: 100, height: 50, pixels: canvas.pixels }, 10);
    const row = [...square.subarray(0, 30)].filter((_, at) => at % 3 === 0);
    assert.ok(row.every((value) => value < 60) && Math.max(...row) > 8, row.join());
    const large = resizeToSquare(
      { width: 2, height: 2, pixels: Uint8Array.from({ length: 16 }, () => 90) },
      8,
    );
    assert.ok(large.every((value) => value === 90));
  });
});

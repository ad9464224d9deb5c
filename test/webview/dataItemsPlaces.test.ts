import assert from 'node:assert/strict';
import {
  bandRanges,
  orderedRanges,
  rangesHave,
  Selection,
  withoutRange,
} from '../../webview/data/items/selection';
import { decodeFileText } from '../../webview/data/items/detail/decodeFileText';
import { imageHeader } from '../../webview/data/decodeImage';
import { createItemFormatter, oneLine } from '../../webview/data/items/createItemFormatter';
import { Thumbnails } from '../../webview/data/items/thumbnails';
import { waitUntil } from '../support/waitUntil';
import { numberedItem } from './support/fakeDataHost';

const range = (start: number, end: number): { start: number; end: number } => ({ start, end });

describe('index ranges', () => {
  it('are sorted and merged', () => {
    const ordered = orderedRanges([
      range(5, 7),
      range(0, 2),
      range(2, 3),
      range(6, 9),
      range(4, 4),
    ]);
    assert.deepEqual(ordered, [range(0, 3), range(5, 9)]);
  });

  it('can have a range removed', () => {
    const left = withoutRange([range(0, 3), range(5, 9)], range(2, 6));
    assert.deepEqual(left, [range(0, 2), range(6, 9)]);
  });

  it('are searched', () => {
    const ranges = [range(1, 2), range(4, 6), range(9, 12)];
    const found = Array.from({ length: 13 }, (_, index) => index).filter((index) =>
      rangesHave(ranges, index),
    );
    assert.deepEqual(found, [1, 4, 5, 9, 10, 11]);
  });
});

describe('a selection of items', () => {
  let selection: Selection;

  beforeEach(() => {
    selection = new Selection();
    selection.reset(100_000);
  });

  it('contains one item, several, or a range', () => {
    selection.choose(5);
    selection.extendTo(9);
    assert.deepEqual(selection.ranges, [range(5, 10)]);
    selection.extendTo(2);
    assert.deepEqual(selection.ranges, [range(2, 6)]);
    selection.toggle(20);
    selection.extendTo(22, { add: true });
    assert.deepEqual(selection.ranges, [range(2, 6), range(20, 23)]);
    selection.toggle(3);
    assert.deepEqual(selection.ranges, [range(2, 3), range(4, 6), range(20, 23)]);
    assert.equal(selection.count, 6);
    selection.choose(1);
    assert.deepEqual(selection.ranges, [range(1, 2)]);
  });

  it('is extended from the position of the keyboard focus', () => {
    selection.choose(5);
    selection.moveTo(10);
    assert.deepEqual([selection.ranges, selection.active], [[range(5, 6)], 10]);
    selection.extendTo(12);
    assert.deepEqual(selection.ranges, [range(10, 13)]);
  });

  it('contains all matches until some are deselected', () => {
    selection.selectAll();
    assert.deepEqual(
      [selection.all, selection.count, selection.has(99_999)],
      [true, 100_000, true],
    );
    assert.deepEqual(selection.ref(3, 'images'), {
      generation: 3,
      placement: 'images',
      ranges: [range(0, 100_000)],
      all: true,
    });
    selection.toggle(7);
    assert.deepEqual([selection.all, selection.count], [false, 99_999]);
    assert.deepEqual(selection.ranges, [range(0, 7), range(8, 100_000)]);
  });

  it('loses deleted items, and everything with another listing', () => {
    selection.choose(5);
    selection.extendTo(50);
    selection.setCount(10);
    assert.deepEqual([selection.ranges, selection.active], [[range(5, 10)], 9]);
    selection.reset(10);
    assert.deepEqual([selection.count, selection.active], [0, undefined]);
  });

  it('preserves other selected items while a rectangle is drawn', () => {
    selection.selectRanges([range(4, 6), range(9, 11)], [range(0, 1)]);
    assert.deepEqual(selection.ranges, [range(0, 1), range(4, 6), range(9, 11)]);
  });
});

describe('a rectangle over cells', () => {
  const cell = { width: 100, height: 50 };
  const all = (left: number, right: number, top: number, bottom: number): unknown =>
    bandRanges({ left, right, top, bottom }, cell, 4, 10);

  it('includes the cells that it partly covers', () => {
    assert.deepEqual(all(110, 290, 10, 60), [range(1, 3), range(5, 7)]);
  });

  it('merges whole rows, and ends with the last cell', () => {
    assert.deepEqual(all(0, 399, 60, 500), [range(4, 10)]);
    assert.deepEqual(all(210, 390, 0, 149), [range(2, 4), range(6, 8)]);
  });

  it('includes nothing outside of the cells', () => {
    assert.deepEqual([all(450, 480, 0, 10), all(0, 10, 200, 300)], [[], []]);
  });
});

describe('the dimensions of an image', () => {
  const bytes = (...values: readonly number[]): ArrayBuffer => new Uint8Array(values).buffer;
  const png = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];

  it('are read from the header of a PNG', () => {
    const header = imageHeader(bytes(...png, 0, 0, 2, 128, 0, 0, 1, 224));
    assert.deepEqual(header, { type: 'image/png', width: 640, height: 480 });
  });

  it('are read from the frame of a JPEG after other segments', () => {
    const other = [0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 9];
    const frame = [0xff, 0xc2, 0, 17, 8, 1, 224, 2, 128];
    const header = imageHeader(bytes(0xff, 0xd8, ...other, ...frame, 3));
    assert.deepEqual(header, { type: 'image/jpeg', width: 640, height: 480 });
  });

  it('are undefined for truncated, empty, or other files', () => {
    const svg = new TextEncoder().encode(
      '<svg onload="alert(1)" xmlns="http://www.w3.org/2000/svg"/>',
    );
    const others = [
      ...[bytes(), bytes(0xff, 0xd8), bytes(0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 1, 1, 1, 1)],
      ...[bytes(...png), bytes(...png, 0, 0, 0, 0, 0, 0, 0, 9), svg.buffer],
      bytes(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0),
    ];
    assert.deepEqual(
      others.map((content) => imageHeader(content)),
      others.map(() => undefined),
    );
  });
});

describe('texts of items', () => {
  it('are on one line without disguising characters', () => {
    assert.equal(oneLine('a\nb\u202ec'), 'a\ufffdb\ufffdc');
    assert.equal(oneLine('x'.repeat(10_000)).length, 201);
  });

  it("format sizes and numbers in the user's language", () => {
    const text = createItemFormatter('de');
    assert.deepEqual(
      [text.number(12_345), text.tags(1), text.tags(2)],
      ['12.345', '1 tag', '2 tags'],
    );
    assert.equal(createItemFormatter('en').size(3), '3 bytes');
    assert.deepEqual([text.size(0), text.size(1_234_567)], ['0 Byte', '1,2 MB']);
  });

  it('include files whose bytes are text', () => {
    const encode = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
    assert.equal(decodeFileText(encode('<svg onload="x"/>\n')), '<svg onload="x"/>\n');
    assert.equal(decodeFileText(encode('a\0b')), undefined);
    assert.equal(decodeFileText(new Uint8Array([0xff, 0xfe, 0x41]).buffer), undefined);
  });
});

describe('thumbnails', () => {
  const items = Array.from({ length: 40 }, (_, index) => numberedItem('images', index));
  let requested: string[];
  let left: string[];
  let thumbnails: Thumbnails;

  beforeEach(() => {
    requested = [];
    left = [];
    thumbnails = new Thumbnails({
      load: (id, signal) => {
        requested.push(id);
        signal.addEventListener('abort', () => left.push(id));
        return new Promise(() => undefined);
      },
      size: () => ({ width: 10, height: 10 }),
      changed: () => undefined,
    });
  });

  afterEach(() => thumbnails.stop());

  it('are requested immediately while nothing moves, up to a limit', () => {
    thumbnails.request(items, true);
    assert.deepEqual(
      requested,
      items.slice(0, 24).map(({ id }) => id),
    );
  });

  it('are canceled when they are no longer visible', () => {
    thumbnails.request(items.slice(0, 3), true);
    thumbnails.request(items.slice(2, 5), true);
    assert.deepEqual(left, ['images-0', 'images-1']);
    assert.equal(requested.length, 5);
  });

  it('are requested during scrolling only where it stops', async () => {
    thumbnails.request(items.slice(0, 5), false);
    thumbnails.request(items.slice(5, 10), false);
    thumbnails.request(items.slice(9, 12), false);
    assert.deepEqual(requested, []);
    await waitUntil(() => requested.length >= 3);
    assert.deepEqual(requested, ['images-9', 'images-10', 'images-11']);
  });

  it('are not requested for items that are too large', () => {
    const large = numberedItem('images', 1);
    thumbnails.request([{ ...large, sizeBytes: 25 * 1024 * 1024 }], true);
    assert.deepEqual(requested, []);
  });
});

import type { JsonValue } from '@bufbuild/protobuf';
import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import {
  copiedColumn,
  ReadingsListing,
  sortReadingIndexes,
  valueIn,
} from '../../../../src/core/data/readingsListing';
import { copyRows } from '../../../../src/core/data/tables/copyRows';
import { everyCapture } from '../../../../src/core/model/captureFilter';
import type { ReadingsStore } from '../../../../src/core/stores/readingsStore';
import { NOON, openReadingsFleet, type ReadingsFleet } from './readingsFleet';

describe('readings that are loaded page by page', () => {
  let fleet: ReadingsFleet;
  let pages: number[];

  before(async () => {
    fleet = await openReadingsFleet();
    await fleet.capture(Array.from({ length: 1_200 }, (_, n) => ({ n, text: `item-${n % 12}` })));
    await fleet.capture([{ late: true, list: [1, 2] }], { from: NOON - 5_000, tags: ['night'] });
  });

  after(() => fleet.close());

  beforeEach(() => {
    pages = [];
  });

  const store: Pick<ReadingsStore, 'page'> = {
    page: (request, signal) => {
      pages.push(request.limit);
      return fleet.stores.readings.page(request, signal);
    },
  };

  function listing(
    order: 'newestFirst' | 'oldestFirst',
    bounds?: { rows: number; characters: number },
  ) {
    return new ReadingsListing(store, everyCapture, order, bounds);
  }

  it('are loaded as far as needed, and once for concurrent callers', async () => {
    const newest = listing('newestFirst');
    await Promise.all([newest.readUpTo(10), newest.readUpTo(300)]);
    assert.deepEqual([newest.read.length, newest.count, pages], [500, 1_201, [500]]);
    const progress: number[] = [];
    await newest.readUpTo(5_000, undefined, (rows) => progress.push(rows));
    assert.deepEqual([newest.isComplete, progress.at(-1)], [true, 1_201]);
    const times = newest.read.map(({ at }) => at);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => b - a),
    );
    await newest.readUpTo(10_000);
    assert.equal(pages.length, 2);
  });

  it('add columns as they appear, and track which contain numbers', async () => {
    const newest = listing('newestFirst');
    await newest.readUpTo(1);
    assert.deepEqual(
      newest.columns.list.map(({ name }) => name),
      ['data.n', 'data.text'],
    );
    await newest.readUpTo(2_000);
    assert.deepEqual(
      newest.columns.list.map(({ name }) => name),
      ['data.n', 'data.text', 'data.late', 'data.list'],
    );
    assert.deepEqual([...newest.numericColumns], [0]);
  });

  it('are limited by memory', async () => {
    const bounded = listing('oldestFirst', { rows: 700, characters: Infinity });
    await bounded.readUpTo(5_000);
    assert.deepEqual([bounded.read.length, bounded.isFull, bounded.isComplete], [700, true, false]);
    const small = listing('oldestFirst', { rows: 5_000, characters: 100 });
    await small.readUpTo(600);
    await small.readUpTo(5_000);
    assert.deepEqual([small.read.length, small.isFull], [600, true]);
  });

  it('are retained when the service fails, and continue from there', async () => {
    let fails = false;
    const failing: Pick<ReadingsStore, 'page'> = {
      page: (request) =>
        fails
          ? Promise.reject(new FleetError('unavailable', 'gone'))
          : fleet.stores.readings.page(request),
    };
    const one = new ReadingsListing(failing, everyCapture, 'oldestFirst');
    await one.readUpTo(1);
    fails = true;
    await assert.rejects(one.readUpTo(1_000), FleetError);
    assert.equal(one.read.length, 500);
    fails = false;
    await one.readUpTo(2_000);
    assert.equal(one.read.length, 1_201);
    assert.equal(new Set(one.read.map(({ at }) => at)).size, 1_201);
  });

  it('are empty without data', async () => {
    const none = new ReadingsListing(
      fleet.stores.readings,
      { ...everyCapture, componentName: 'none' },
      'newestFirst',
    );
    await none.readUpTo(100);
    assert.deepEqual([none.read.length, none.count, none.isComplete], [0, 0, true]);
  });

  it('are sorted naturally, with missing values at the end', async () => {
    const oldest = listing('oldestFirst');
    await oldest.readUpTo(5_000);
    const [, , n, text] = oldest.columns.list;
    assert.ok(n && text);
    const values = (descending: boolean): readonly (JsonValue | undefined)[] =>
      Array.from(
        sortReadingIndexes(oldest.read, (reading) => valueIn(reading, text), descending),
        (index) => oldest.read[index]?.data.text,
      );
    assert.deepEqual([values(false)[0], values(false)[1_199]], ['item-0', 'item-11']);
    assert.deepEqual([values(true)[0], values(true).at(-1)], ['item-11', undefined]);
    const byNumber = sortReadingIndexes(oldest.read, (reading) => valueIn(reading, n), true);
    assert.equal(oldest.read[byNumber[0] ?? 0]?.data.n, 1_199);
  });

  it('are copied with headers, as cells of a sheet or as JSON', async () => {
    const oldest = listing('oldestFirst');
    await oldest.readUpTo(2);
    const columns = (['time', 'machine', 'tags', ...oldest.columns.list] as const).map(
      copiedColumn,
    );
    const limits = { rows: 10, characters: 10_000 };
    const rows = oldest.read.slice(0, 2);
    const cells = copyRows(rows, columns, 'tsv', limits)
      .text.split('\n')
      .map((line) => line.split('\t'));
    assert.deepEqual(cells[0], [
      ...['time', 'machine', 'tags', 'data.late', 'data.list', 'data.n', 'data.text'],
    ]);
    assert.deepEqual(cells[1]?.slice(1), ["'=arm-1", '["night"]', 'true', '[1,2]', '', '']);
    const json = JSON.parse(copyRows(rows, columns, 'json', limits).text) as object[];
    assert.deepEqual(json[1], {
      time: '2026-11-21T12:00:00.000000Z',
      machine: '=arm-1',
      'data.n': 0,
      'data.text': 'item-0',
    });
    assert.equal(copyRows(oldest.read, columns, 'tsv', { ...limits, rows: 3 }).rows, 3);
    assert.equal(copyRows(oldest.read, columns, 'tsv', { rows: 9, characters: 1 }).rows, 1);
  });
});

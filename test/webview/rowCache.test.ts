import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { RowCache } from '../../webview/ui/table/rowCache';

describe('the rows that a table requests', () => {
  let requestedRanges: (readonly [start: number, end: number])[];
  let cache: RowCache<number>;

  beforeEach(() => {
    requestedRanges = [];
    cache = new RowCache<number>({
      fetchRows: (start, end) => {
        requestedRanges.push([start, end]);
        return Promise.resolve(Array.from({ length: end - start }, (_, index) => start + index));
      },
      onRows: () => undefined,
      onFailure: (error) => assert.ifError(error),
      cellsPerRow: () => 10,
    });
    cache.setEnd(1_000);
  });

  async function request(start: number, end: number): Promise<void> {
    cache.request(start, end);
    await setImmediate();
  }

  it('are the rendered ones, and some around them', async () => {
    await request(0, 40);
    assert.deepEqual(requestedRanges, [[0, 140]]);
    assert.equal(cache.at(39), 39);
  });

  it('are prefetched in the scroll direction', async () => {
    await request(0, 40);
    await request(20, 60);
    assert.equal(requestedRanges.length, 1);
    await request(60, 100);
    assert.deepEqual(requestedRanges.at(-1), [140, 200]);
    await request(500, 540);
    assert.deepEqual(requestedRanges.at(-1), [500, 640]);
    await request(480, 520);
    assert.deepEqual(requestedRanges.at(-1), [380, 500]);
    await request(960, 1_000);
    assert.deepEqual(requestedRanges.at(-1), [960, 1_000]);
  });

  it('are requested once, and again when others replace them', async () => {
    await request(0, 40);
    await request(1, 41);
    await request(0, 40);
    assert.equal(requestedRanges.length, 1);
    cache.clear();
    assert.equal(cache.at(0), undefined);
    await request(0, 40);
    assert.equal(requestedRanges.length, 2);
  });
});

import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { CaptureBrowse } from '../../../../src/core/data/captureBrowse';
import { ItemListing, type ListedPage } from '../../../../src/core/data/itemListing';
import type { BinaryItem } from '../../../../src/core/model/binaryItem';
import { everyCapture } from '../../../../src/core/model/captureFilter';
import { binaryDataId } from '../../../../src/core/model/ids';
import { type CaptureFleet, openCaptureFleet } from '../../../support/captureFleet';

describe('a listing of items', () => {
  let fleet: CaptureFleet;

  before(async () => {
    fleet = await openCaptureFleet();
    await fleet.part.captureMany(12);
  });

  after(() => fleet.close());

  function listing(): ItemListing {
    const { binaryData, readings } = fleet.session.stores;
    return new CaptureBrowse({ binaryData, readings }, everyCapture).listing('images');
  }

  /**
   * Returns a listing of generated items in pages of `perPage` items.
   * @param limits records the limits of the requested pages.
   */
  function pagedListing(count: number, perPage: number, limits: number[] = []): ItemListing {
    const readPage = (limit: number, after = '0'): Promise<ListedPage> => {
      limits.push(limit);
      const start = Number(after);
      const end = Math.min(start + Math.min(limit, perPage), count);
      const items = Array.from({ length: end - start }, (_, n) => madeUp(start + n));
      return Promise.resolve({ items, last: end === count ? '' : String(end) });
    };
    return new ItemListing(readPage, () => Promise.resolve([]));
  }

  it('returns the available items of a range, and reports that they are complete', async () => {
    const items = listing();
    assert.equal((await items.read(0, 5)).length, 5);
    assert.equal((await items.read(10, 100)).length, 2);
    assert.deepEqual([items.length, items.isComplete], [12, true]);
  });

  it('loads at most one large page at a time toward distant items', async () => {
    const items = pagedListing(20_000, 5_000);
    assert.deepEqual(await items.readTowards(14_000, 14_010), []);
    assert.equal(items.length, 5_000);
    await items.readTowards(14_000, 14_010);
    assert.deepEqual(
      (await items.readTowards(14_000, 14_010)).map(({ id }) => id)[0],
      'item-14000',
    );
    assert.equal(items.length, 14_010);
  });

  it('begins with a small page so that items appear quickly', async () => {
    const limits: number[] = [];
    await pagedListing(20_000, 5_000, limits).readTowards(0, 100);
    assert.deepEqual(limits, [200]);
  });

  it('stops waiting when the caller cancels', async () => {
    const stop = new AbortController();
    const never = new ItemListing(
      () => new Promise(() => undefined),
      () => Promise.resolve([]),
    );
    const reading = never.readTowards(0, 10, stop.signal);
    stop.abort();
    await assert.rejects(reading);
  });

  it('reloads changed items only when they are requested', async () => {
    const items = listing();
    const [first, second] = await items.read(0, 12);
    assert.ok(first && second);
    await fleet.session.stores.binaryData.addTags([first.id, second.id], ['seen']);
    assert.equal(items.invalidate([first.id, second.id]), true);
    assert.deepEqual(items.at(0)?.tags, []);
    const [now] = await items.readTowards(0, 1);
    assert.deepEqual(now?.tags, ['seen']);
    assert.deepEqual(items.at(1)?.tags, []);
  });

  it('ignores items that are not listed', async () => {
    const items = listing();
    await items.read(0, 12);
    assert.equal(items.invalidate([binaryDataId('elsewhere')]), false);
  });

  it('reloads the others if one of them was deleted', async () => {
    const items = listing();
    const all = await items.read(0, 12);
    const last = all.at(-1);
    assert.ok(last && all[0]);
    await fleet.session.stores.binaryData.delete([last.id]);
    await fleet.session.stores.binaryData.addTags([all[0].id], ['kept']);
    items.invalidate('all');
    const now = await items.readTowards(0, 12);
    assert.ok(now[0]?.tags.includes('kept'));
    assert.equal(now.at(-1)?.id, last.id);
  });

  it('retries items that could not be reloaded', async () => {
    let fails = true;
    const items = new ItemListing(
      () => Promise.resolve({ items: [madeUp(0)], last: '' }),
      (ids) =>
        fails
          ? Promise.reject(new FleetError('unavailable', 'Not now.'))
          : Promise.resolve(ids.map((id) => ({ ...madeUp(0), id, tags: ['new'] }))),
    );
    await items.read(0, 1);
    items.invalidate('all');
    await assert.rejects(items.readTowards(0, 1), { kind: 'unavailable' });
    fails = false;
    assert.deepEqual((await items.readTowards(0, 1))[0]?.tags, ['new']);
  });
});

function madeUp(index: number): BinaryItem {
  return {
    id: binaryDataId(`item-${index}`),
    source: {} as BinaryItem['source'],
    mimeType: '',
    at: 0,
    receivedAt: undefined,
    fileName: '',
    fileExtension: '.jpg',
    sizeBytes: 1,
    uri: '',
    tags: [],
    boxes: [],
    classifications: [],
    datasetIds: [],
  };
}

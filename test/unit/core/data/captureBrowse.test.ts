import assert from 'node:assert/strict';
import { CaptureBrowse, type CaptureStores } from '../../../../src/core/data/captureBrowse';
import { type CaptureFilter, everyCapture } from '../../../../src/core/model/captureFilter';
import type { Placement } from '../../../../src/core/model/binaryItem';
import type { BinaryDataStore } from '../../../../src/core/stores/binaryDataStore';
import { type CapturesFleet, openCapturesFleet } from './capturesFleet';

const MAX_ITEMS = 1_000;
const placements: readonly Placement[] = ['images', 'pointClouds', 'files'];

const known = ['.jpeg', '.jpg', '.png', '.JPG', '.PnG', '.pcd', '.PCD', '.svg', '.csv', '.mp4', ''];
const odd = [
  { extension: '.bag', mimeType: 'application/x-rosbag' },
  { extension: '.jpg', mimeType: 'image/jpg' },
  { extension: '', mimeType: 'image/jpeg' },
  { extension: '.dat', mimeType: '' },
];

describe('browsing captures', () => {
  let fleet: CapturesFleet;

  beforeEach(async () => {
    fleet = await openCapturesFleet();
  });

  afterEach(() => fleet.close());

  /** Returns the same stores for a service with a maximum page size. */
  function createPagedStores(size: number): CaptureStores {
    const { binaryData, readings } = fleet.stores;
    const page: BinaryDataStore['page'] = (request, signal) =>
      binaryData.page({ ...request, limit: Math.min(request.limit, size) }, signal);
    return {
      readings,
      binaryData: Object.assign(Object.create(binaryData) as BinaryDataStore, { page }),
    };
  }

  async function browseAll(
    stores: CaptureStores = fleet.stores,
    filter: CaptureFilter = everyCapture,
  ): Promise<Readonly<Record<Placement, readonly string[]>>> {
    const browse = new CaptureBrowse(stores, filter);
    const found = await Promise.all(
      placements.map(async (placement) => {
        const [{ count, bytes }, items] = await Promise.all([
          browse.total(placement),
          browse.listing(placement).read(0, MAX_ITEMS),
        ]);
        assert.equal(count, items.length, `${placement}: counted and listed`);
        assert.equal(bytes, 10 * items.length);
        return [placement, items.map((item) => item.fileExtension)] as const;
      }),
    );
    browse.dispose();
    return Object.fromEntries(found) as unknown as Record<Placement, readonly string[]>;
  }

  it('sorts known extensions into tabs in any case, newest first', async () => {
    await fleet.capture(known.map((extension) => ({ extension })));
    assert.deepEqual(await browseAll(), {
      images: ['.PnG', '.JPG', '.png', '.jpg', '.jpeg'],
      pointClouds: ['.PCD', '.pcd'],
      files: ['', '.mp4', '.csv', '.svg'],
    });
  });

  it("finds files of unknown types, and images by the uploader's content type", async () => {
    await fleet.capture([...known.map((extension) => ({ extension })), ...odd]);
    const { images, files } = await browseAll();
    assert.deepEqual(images.slice(0, 2), ['', '.jpg']);
    assert.deepEqual(files, ['.dat', '.bag', '', '.mp4', '.csv', '.svg']);
  });

  it('lists all items that it counts even if the service returns small pages', async () => {
    await fleet.capture([...known.map((extension) => ({ extension })), ...odd]);
    const whole = await browseAll();
    for (const size of [1, 2, 3]) assert.deepEqual(await browseAll(createPagedStores(size)), whole);
  });

  it('is limited to the types of the filter', async () => {
    await fleet.capture([...known.map((extension) => ({ extension })), ...odd]);
    const mimeTypes = ['image/png', 'text/csv', 'application/x-rosbag'];
    assert.deepEqual(await browseAll(fleet.stores, { ...everyCapture, mimeTypes }), {
      images: ['.PnG', '.png'],
      pointClouds: [],
      files: ['.bag', '.csv'],
    });
  });

  it('counts all tabs with four calls, even if it is requested repeatedly', async () => {
    await fleet.capture([{ extension: '.jpg' }]);
    fleet.fleet.calls.clear();
    const browse = new CaptureBrowse(fleet.stores, everyCapture);
    const countAll = (): Promise<unknown> =>
      Promise.all([...placements.map((one) => browse.total(one)), browse.countReadings()]);
    await Promise.all([countAll(), countAll()]);
    await countAll();
    const { calls } = fleet.fleet;
    assert.equal(calls.get('BinaryDataByFilter'), 3);
    assert.equal(calls.get('TabularDataByFilter'), 1);
  });

  it('stops counting and listing without a consumer', async () => {
    await fleet.capture([{ extension: '.jpg' }]);
    const browse = new CaptureBrowse(fleet.stores, everyCapture);
    const requests = [
      browse.total('images'),
      browse.countReadings(),
      browse.listing('files').read(0, 1),
    ];
    browse.dispose();
    for (const one of await Promise.allSettled(requests)) assert.equal(one.status, 'rejected');
  });

  it('counts again after a failure', async () => {
    const { binaryData, readings } = fleet.stores;
    let failing = true;
    const count: BinaryDataStore['count'] = (filter, signal) =>
      failing ? Promise.reject(new Error('unreachable')) : binaryData.count(filter, signal);
    const failable = Object.assign(Object.create(binaryData) as BinaryDataStore, { count });
    const browse = new CaptureBrowse({ readings, binaryData: failable }, everyCapture);
    await assert.rejects(browse.total('files'));
    failing = false;
    assert.deepEqual(await browse.total('files'), { count: 0, bytes: 0 });
  });
});

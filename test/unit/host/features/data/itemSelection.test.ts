import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { binaryDataId } from '../../../../../src/core/model/ids';
import { DataSession } from '../../../../../src/host/features/data/dataSession';
import { ItemSession } from '../../../../../src/host/features/data/items/itemSession';
import { everyData } from '../../../../../src/shared/data/dataFilter';
import { waitUntil } from '../../../../support/waitUntil';
import { type CapturesFleet, NOON, openCapturesFleet } from '../../../core/data/capturesFleet';

describe('ItemSession with a saved selection', () => {
  const { signal } = new AbortController();
  let fleet: CapturesFleet;
  let session: DataSession;
  let items: ItemSession;
  let staleCount: number;

  beforeEach(async () => {
    fleet = await openCapturesFleet();
    staleCount = 0;
    const { sessions, fleet: service } = fleet;
    const filter = { ...everyData, organizations: [fleet.organization] };
    session = new DataSession(sessions.connectionToFleet.id, filter, {
      sessions,
      clock: service.clock,
    });
    items = new ItemSession({
      tab: () => 'images',
      session,
      notifyStale: () => (staleCount += 1),
      notifyRead: () => undefined,
      openContent: () => Promise.resolve(),
      copyText: () => Promise.resolve(),
    });
  });

  afterEach(async () => {
    items.dispose();
    session.dispose();
    await fleet.close();
  });

  const capture = (...minutes: readonly number[]) =>
    fleet.capture(minutes.map((at) => ({ extension: '.jpg', at: NOON + at * 60_000 })));

  it('identifies selected items, and finds them in a later listing without deleted ones', async () => {
    await capture(1, 2, 3, 4);
    await session.apply();
    const { identifyItems, findItems } = items.handlers();
    const images = { placement: 'images' as const };
    const ranges = [
      { start: 0, end: 2 },
      { start: 3, end: 4 },
    ];
    const selection = { ...images, generation: 1, ranges, all: false };
    const { ids } = await identifyItems(selection, signal);
    assert.equal(new Set(ids).size, 3);
    await fleet.stores.binaryData.delete([binaryDataId(ids[1] ?? '')]);
    await capture(5, 6);
    await session.apply();
    const search = { ...images, generation: 2, ids, end: 1_000 };
    assert.deepEqual(await findItems(search, signal), { indexes: [2, 4], isRead: true });
    await assert.rejects(findItems({ ...search, generation: 1 }, signal), { kind: 'conflict' });
  });

  it('reports stale items when their dataset is renamed or deleted', async () => {
    const { stores, organization } = fleet;
    await capture(1);
    await session.apply();
    const readDatasets = async (): Promise<readonly string[] | undefined> => {
      const range = { generation: 1, placement: 'images', start: 0, end: 1 } as const;
      const { items: views } = await items.handlers().items(range, signal);
      return views[0]?.datasets;
    };
    await readDatasets();
    const dataset = await stores.datasets.create(organization, 'screws');
    const image = session.current.browse.listing('images').at(0);
    assert.ok(image);
    await stores.binaryData.addToDataset(dataset, [image.id]);
    await waitUntil(() => staleCount > 0);
    assert.deepEqual(await readDatasets(), ['screws']);
    staleCount = 0;
    const key = { id: dataset, organizationId: organization };
    await stores.datasets.rename(key, 'nuts');
    await waitUntil(() => staleCount > 0);
    assert.deepEqual(await readDatasets(), ['nuts']);
    staleCount = 0;
    await stores.datasets.delete(key);
    await waitUntil(() => staleCount > 0);
    assert.deepEqual(await readDatasets(), []);
  });

  it('loads the first items of the visible tab when a filter is applied', async () => {
    await capture(1, 2);
    await session.apply();
    const { browse } = session.current;
    await waitUntil(() => browse.listing('images').length === 2);
    assert.equal(browse.listing('files').length, 0);
  });
});

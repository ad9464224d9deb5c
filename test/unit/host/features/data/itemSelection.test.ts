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

  beforeEach(async () => {
    fleet = await openCapturesFleet();
    const { sessions, fleet: service } = fleet;
    const filter = { ...everyData, organizations: [fleet.organization] };
    session = new DataSession(sessions.connectionToFleet.id, filter, {
      sessions,
      clock: service.clock,
    });
    items = new ItemSession({
      tab: () => 'images',
      session,
      notifyStale: () => undefined,
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

  it('loads the first items of the visible tab when a filter is applied', async () => {
    await capture(1, 2);
    await session.apply();
    const { browse } = session.current;
    await waitUntil(() => browse.listing('images').length === 2);
    assert.equal(browse.listing('files').length, 0);
  });
});

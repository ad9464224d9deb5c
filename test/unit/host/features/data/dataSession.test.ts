import assert from 'node:assert/strict';
import { binaryDataId } from '../../../../../src/core/model/ids';
import { ChangeWatch } from '../../../../../src/host/features/data/changeWatch';
import { type Applied, DataSession } from '../../../../../src/host/features/data/dataSession';
import { type DataFilter, everyData } from '../../../../../src/shared/data/dataFilter';
import type { Outdated } from '../../../../../src/shared/data/dataPanel';
import { type CapturesFleet, NOON, openCapturesFleet } from '../../../core/data/capturesFleet';

describe('the query of a data panel', () => {
  let fleet: CapturesFleet;
  let session: DataSession;
  let applied: Applied[];
  let signedOut: number;

  beforeEach(async () => {
    fleet = await openCapturesFleet();
    applied = [];
    signedOut = 0;
    session = open({ ...everyData, organizations: [fleet.organization] });
  });

  afterEach(async () => {
    session.dispose();
    await fleet.close();
  });

  function open(filter: DataFilter): DataSession {
    const { sessions, fleet: service } = fleet;
    const opened = new DataSession(sessions.connectionToFleet.id, filter, {
      sessions,
      clock: service.clock,
    });
    opened.onDidApply((one) => applied.push(one));
    opened.onDidSignOut(() => (signedOut += 1));
    return opened;
  }

  const images = async (): Promise<number> => (await session.current.browse.total('images')).count;

  it('identifies each application of a filter, and stops the previous one', async () => {
    assert.throws(() => session.current, { kind: 'conflict' });
    await session.apply();
    await session.apply({ ...session.filter, labels: ['rust'] });
    assert.deepEqual(
      applied.map(({ generation }) => generation),
      [1, 2],
    );
    assert.equal(applied[0]?.browse.isDisposed, true);
    assert.throws(() => session.of(1), { kind: 'conflict' });
    assert.equal(session.of(2).filter.labels[0], 'rust');
  });

  it('includes data of a location at every depth', async () => {
    const { stores, organization } = fleet;
    const [hall] = await stores.locations.list(organization);
    assert.ok(hall);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const other = await stores.locations.create(organization, 'Other', undefined);
    await stores.locations.move(hall, plant.id);
    await fleet.capture([{ extension: '.jpg' }]);
    await session.apply({ ...session.filter, locations: [plant.id] });
    assert.equal(await images(), 1);
    await session.apply({ ...session.filter, locations: [other.id] });
    assert.equal(await images(), 0);
    assert.deepEqual(session.filter.locations, [other.id]);
  });

  it('uses the last filter even if an earlier one takes longer to prepare', async () => {
    const [hall] = await fleet.stores.locations.list(fleet.organization);
    const slow = session.apply({ ...session.filter, locations: [hall?.id ?? ''] });
    await session.apply({ ...session.filter, locations: [], labels: ['rust'] });
    await slow;
    assert.equal(applied.length, 1);
    assert.deepEqual(session.current.filter.labels, ['rust']);
  });

  it('counts recent times back from the application of the filter', async () => {
    const { clock } = fleet.fleet;
    const now = clock.now().getTime();
    await fleet.capture([
      { extension: '.jpg', at: now - 5 * 60_000 },
      { extension: '.jpg', at: now - 30 * 60_000 },
    ]);
    await session.apply({ ...session.filter, interval: { kind: 'last', minutes: 15 } });
    assert.equal(await images(), 1);
    await session.apply({ ...session.filter, interval: { kind: 'last', minutes: 60 } });
    assert.equal(await images(), 2);
    await session.apply({ ...session.filter, interval: { kind: 'between', end: NOON } });
    assert.equal(session.current.browse.filter.end, NOON * 1_000);
  });

  it('reports a sign-out, and reloads after the next sign-in', async () => {
    await session.apply();
    fleet.sessions.signOut();
    assert.equal(signedOut, 1);
    assert.throws(() => session.current, { kind: 'conflict' });
    await session.apply({ ...session.filter, labels: ['rust'] });
    assert.equal(signedOut, 2);
    fleet.sessions.signIn();
    assert.equal(session.current.generation, 2);
    assert.deepEqual(session.current.filter.labels, ['rust']);
    assert.equal(await images(), 0);
  });

  it('remains signed out if the user signs out while it looks up locations', async () => {
    const [hall] = await fleet.stores.locations.list(fleet.organization);
    fleet.stores.refresh();
    const applying = session.apply({ ...session.filter, locations: [hall?.id ?? ''] });
    fleet.sessions.signOut();
    await applying;
    assert.deepEqual([applied.length, signedOut, session.isAtWork], [0, 1, false]);
    const { promise, resolve } = Promise.withResolvers<Applied>();
    session.onDidApply(resolve);
    fleet.sessions.signIn();
    assert.equal((await promise).filter.locations[0], hall?.id);
  });

  describe('when this window changes data', () => {
    let outdated: Outdated[];
    const items = ['images', 'pointClouds', 'files'];
    let recounted: Map<string, number | undefined>;
    let onRecounted: () => void;
    let watch: ChangeWatch;

    beforeEach(() => {
      outdated = [];
      recounted = new Map();
      onRecounted = () => undefined;
      watch = new ChangeWatch(session, {
        outdated: (one) => outdated.push(one),
        recounted: ({ tab, count }) => {
          recounted.set(tab, count);
          if (recounted.size === 4) onRecounted();
        },
      });
    });

    afterEach(() => watch.dispose());

    it('reports many changes once, with the new counts', async () => {
      const ids = (await fleet.capture([{ extension: '.jpg' }, { extension: '.jpg' }])).map((id) =>
        binaryDataId(id),
      );
      await session.apply({ ...session.filter, tagsMode: 'untagged' });
      const { promise, resolve } = Promise.withResolvers<undefined>();
      onRecounted = () => resolve(undefined);
      for (const id of ids) await fleet.stores.binaryData.addTags([id], ['rust']);
      await promise;
      assert.deepEqual(outdated, [{ generation: 1, tabs: items }]);
      assert.equal(recounted.get('images'), 0);
    });

    it('ignores changes that do not affect the filter', async () => {
      const [id = ''] = await fleet.capture([{ extension: '.jpg' }]);
      await session.apply();
      await fleet.stores.binaryData.addTags([binaryDataId(id)], ['rust']);
      await fleet.stores.binaryData.delete([binaryDataId(id)]);
      // Changes that were made before a filter is applied are already included.
      await session.apply();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      onRecounted = () => resolve(undefined);
      fleet.stores.binaryData.uploaded([binaryDataId(id)]);
      await promise;
      assert.deepEqual(outdated, [{ generation: 2, tabs: items }]);
    });

    it('reports added and deleted readings', async () => {
      await session.apply();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      onRecounted = () => resolve(undefined);
      await fleet.stores.readings.deleteOlderThan(fleet.organization, 0);
      fleet.stores.readings.uploaded();
      await promise;
      assert.deepEqual(outdated, [{ generation: 1, tabs: ['readings'] }]);
      assert.equal(recounted.get('readings'), 0);
      // `isOutdated` stays true for a page that wasn't open to receive the notification.
      assert.ok(watch.isOutdated);
      await session.apply();
      assert.ok(!watch.isOutdated);
    });
  });
});

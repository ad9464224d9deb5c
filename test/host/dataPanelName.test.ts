import assert from 'node:assert/strict';
import { type DatasetId, organizationId } from '../../src/core/model/ids';
import type { DatasetTarget } from '../../src/core/model/resourceTarget';
import { DataSession } from '../../src/host/features/data/dataSession';
import { TargetNameTracker } from '../../src/host/features/data/targetNameTracker';
import { everyData } from '../../src/shared/data/dataFilter';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';

describe('the name of a data panel in a real extension host', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  function createTarget(datasetId: DatasetId): DatasetTarget {
    return {
      kind: 'dataset',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organizationId(fleet.organizationId),
      name: 'pallets',
      datasetId,
    };
  }

  it('includes the initial target, and reports that it was deleted', async () => {
    const { datasets } = sessions.stores();
    const id = await datasets.create(organizationId(fleet.organizationId), 'pallets');
    const target = createTarget(id);
    const { connectionId, organizationId: organization } = target;
    const filter = { ...everyData, organizations: [organization], dataset: id };
    const session = new DataSession(connectionId, filter, { sessions, clock: fleet.clock });
    let nextName = Promise.withResolvers<string>();
    const watch = new TargetNameTracker(session, target, {
      named: (name) => nextName.resolve(name),
      filterNamed: () => undefined,
      canWrite: () => undefined,
    });
    try {
      await session.apply();
      assert.equal(await nextName.promise, 'pallets');
      nextName = Promise.withResolvers();
      await datasets.rename({ id, organizationId: organization }, 'crates');
      assert.equal(await nextName.promise, 'crates');
      nextName = Promise.withResolvers();
      await datasets.delete({ id, organizationId: organization });
      assert.equal(await nextName.promise, 'crates (deleted or no access)');
    } finally {
      watch.dispose();
      session.dispose();
    }
  });
});

import assert from 'node:assert/strict';
import { organizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('FragmentStore', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const create = (name: string, configText?: string) =>
    stores.fragments.create(organizationId(fleet.organizationId), name, configText);

  it('creates private fragments, with a config or without', async () => {
    const [empty, filled] = [await create('empty'), await create('filled', '{"debug": true}')];
    assert.deepEqual([empty.configText, empty.visibility], ['{}', 'private']);
    assert.deepEqual(JSON.parse(filled.configText), { debug: true });
    await assert.rejects(create('broken', '[]'));
  });

  it('changes who may see a fragment and leaves its config alone', async () => {
    const fragment = await create('shared', '{"debug": true}');
    const seen: string[] = [];
    stores.fragments.onDidChange(({ ids }) => seen.push(...ids));
    for (const visibility of ['publicUnlisted', 'private'] as const) {
      const changed = await stores.fragments.setVisibility(fragment.id, visibility);
      assert.equal(changed.visibility, visibility);
      const stored = await stores.fragments.get(fragment.id, { fresh: true });
      assert.deepEqual([stored.visibility, stored.name], [visibility, 'shared']);
      assert.deepEqual(JSON.parse(stored.configText), { debug: true });
    }
    assert.deepEqual(seen, [fragment.id, fragment.id]);
  });

  it('setVisibility leaves the name that another user has given', async () => {
    const fragment = await create('arm');
    const elsewhere = new TestSessions(fleet);
    await elsewhere.stores().fragments.rename(fragment.id, 'gripper');
    elsewhere.dispose();
    const changed = await stores.fragments.setVisibility(fragment.id, 'public');
    assert.deepEqual([changed.name, changed.visibility], ['gripper', 'public']);
  });
});

import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
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

  it('changes the visibility of a fragment and preserves its config', async () => {
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

  it('setVisibility preserves the name that another user has set', async () => {
    const fragment = await create('arm');
    const elsewhere = new TestSessions(fleet);
    await elsewhere.stores().fragments.rename(fragment.id, 'gripper');
    elsewhere.dispose();
    const changed = await stores.fragments.setVisibility(fragment.id, 'public');
    assert.deepEqual([changed.name, changed.visibility], ['gripper', 'public']);
  });

  it('setVisibility preserves the name that another user sets while it runs', async () => {
    const fragment = await create('arm');
    const elsewhere = new TestSessions(fleet);
    // Another user renames the fragment after its name has been read.
    const read = stores.fragments.get.bind(stores.fragments);
    stores.fragments.get = async (id, options) => {
      const before = await read(id, options);
      await elsewhere.stores().fragments.rename(fragment.id, 'gripper');
      return before;
    };
    await assert.rejects(
      stores.fragments.setVisibility(fragment.id, 'public'),
      (error) => error instanceof FleetError && error.kind === 'conflict',
    );
    elsewhere.dispose();
    const { name, visibility } = await read(fragment.id, { fresh: true });
    assert.deepEqual([name, visibility], ['gripper', 'private']);
  });

  it('allows listeners to read a changed config without a call', async () => {
    const fragment = await create('arm');
    const seen: Promise<string>[] = [];
    let reads = 0;
    Object.assign(stores.fragments, {
      read: () => {
        reads += 1;
        return Promise.reject(new Error('The config was read again.'));
      },
    });
    stores.fragments.onDidChange(() => {
      seen.push(stores.fragments.get(fragment.id).then(({ name }) => name));
    });
    await stores.fragments.rename(fragment.id, 'gripper');
    assert.deepEqual([await Promise.all(seen), reads], [['gripper'], 0]);
  });

  it('reports what other users have changed when it reads a list again', async () => {
    const organization = organizationId(fleet.organizationId);
    const [arm, base, eye] = [await create('arm'), await create('base'), await create('eye')];
    await stores.fragments.list(organization);
    const changes: unknown[] = [];
    stores.fragments.onDidChange(({ ids, removed, parents }) =>
      changes.push([ids, removed, parents]),
    );
    await stores.fragments.list(organization, { fresh: true });
    assert.deepEqual(changes, []);
    const elsewhere = new TestSessions(fleet);
    const { fragments } = elsewhere.stores();
    await fragments.updateConfig(arm.id, { name: 'arm', configText: '{"debug": true}' });
    await fragments.delete(base);
    const added = await fragments.create(organization, 'track');
    elsewhere.dispose();
    await stores.fragments.list(organization, { fresh: true });
    assert.deepEqual(changes, [[[arm.id, added.id], [base.id], [organization]]]);
    assert.deepEqual(JSON.parse((await stores.fragments.get(arm.id)).configText), { debug: true });
    assert.equal((await stores.fragments.get(eye.id)).revision, eye.revision);
  });
});

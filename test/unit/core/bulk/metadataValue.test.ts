import assert from 'node:assert/strict';
import { readMetadataState, setMetadataValue } from '../../../../src/core/bulk/metadataValue';
import type { MetadataStore } from '../../../../src/core/stores/metadataStore';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('one metadata value on many resources', () => {
  const { signal } = new AbortController();
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let store: MetadataStore;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    store = sessions.stores().metadata;
    await store.update('organization', fleet.organizationId, { site: 'north', floors: { a: 1 } });
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const set = (key: string, value: string | number | object) =>
    setMetadataValue(store, 'organization', fleet.organizationId, {
      key,
      value: JSON.parse(JSON.stringify(value)) as string,
    });

  it('preserves all other values', async () => {
    await set('site', 'south');
    await set('new', [1, { b: null }]);
    assert.deepEqual(await store.get('organization', fleet.organizationId), {
      site: 'south',
      floors: { a: 1 },
      new: [1, { b: null }],
    });
  });

  it('reports whether the value, another one, or none exists', async () => {
    const state = (key: string, value: string | { a: number }) =>
      readMetadataState(store, 'organization', fleet.organizationId, { key, value }, signal);
    assert.equal(await state('site', 'north'), 'same');
    assert.equal(await state('floors', { a: 1 }), 'same');
    assert.equal(await state('site', 'south'), 'other');
    assert.equal(await state('toString', 'south'), 'missing');
  });

  it('writes nothing if the value already exists', async () => {
    fleet.calls.clear();
    await set('site', 'north');
    assert.equal(fleet.calls.get('UpdateOrganizationMetadata'), undefined);
  });

  it('setMetadataValue writes a value that another user has replaced since it was read', async () => {
    const desired = { key: 'site', value: 'north' };
    const { organizationId: id } = fleet;
    assert.equal(await readMetadataState(store, 'organization', id, desired, signal), 'same');
    const elsewhere = new TestSessions(fleet);
    await elsewhere.stores().metadata.update('organization', id, { site: 'south' });
    elsewhere.dispose();
    assert.equal(await setMetadataValue(store, 'organization', id, desired), 'other');
    assert.deepEqual(await store.get('organization', id), { site: 'north' });
    assert.equal(await setMetadataValue(store, 'organization', id, desired), 'same');
  });

  it('accepts a key that is special in JavaScript like any other', async () => {
    await set('__proto__', 1);
    assert.equal(Object.keys(await store.get('organization', fleet.organizationId)).length, 3);
  });
});

import assert from 'node:assert/strict';
import type { Role } from '../../../../src/core/model/access';
import { apiKeyId, locationId, machineId, organizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('ApiKeyStore', () => {
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

  const organization = () => organizationId(fleet.organizationId);
  const operator = (): Role => ({
    name: 'operator',
    resourceType: 'organization',
    resourceId: organization(),
  });
  const names = async () => (await stores.apiKeys.list(organization())).map(({ name }) => name);

  it('lists keys by name with one call for repeated requests', async () => {
    for (const name of ['ci-10', 'ci-2']) {
      await stores.apiKeys.create(organization(), { name, roles: [operator()] });
    }
    fleet.calls.clear();
    assert.deepEqual(await names(), ['ci-2', 'ci-10', 'Local owner']);
    const [first] = await stores.apiKeys.list(organization());
    assert.deepEqual(first?.roles, [operator()]);
    assert.equal(fleet.calls.get('ListKeys'), 1);
  });

  it('reports created and deleted keys, and changes of their roles', async () => {
    await names();
    const events: string[] = [];
    const roles: unknown[] = [];
    stores.apiKeys.onDidChange(({ ids, removed }) => {
      events.push(...ids.map((id) => `+${id}`), ...removed.map((id) => `-${id}`));
    });
    stores.roles.onDidChange(({ parents }) => roles.push(parents));
    const made = await stores.apiKeys.create(organization(), { name: '', roles: [operator()] });
    await stores.apiKeys.delete(organization(), apiKeyId(made.id));
    assert.deepEqual(events, [`+${made.id}`, `-${made.id}`]);
    assert.deepEqual(roles, [[organization()], [organization()]]);
    assert.deepEqual(await names(), ['Local owner']);
  });

  it('names a key after the current time by default, and copies roles to another', async () => {
    const made = await stores.apiKeys.create(organization(), { name: '', roles: [operator()] });
    const copy = await stores.apiKeys.duplicate(organization(), apiKeyId(made.id));
    assert.notEqual(copy.secret, made.secret);
    const keys = await stores.apiKeys.list(organization());
    const duplicate = keys.find(({ id }) => id === copy.id);
    assert.ok(!Number.isNaN(Date.parse(duplicate?.name ?? '')));
    assert.deepEqual(duplicate?.roles, [operator()]);
  });

  it('reloads the list after a role of a key was changed', async () => {
    const made = await stores.apiKeys.create(organization(), { name: 'k', roles: [operator()] });
    await names();
    const holder = { type: 'apiKey', id: apiKeyId(made.id) } as const;
    await stores.roles.add(organization(), holder, { ...operator(), name: 'owner' });
    const keys = await stores.apiKeys.list(organization());
    assert.equal(keys.find(({ id }) => id === made.id)?.roles.length, 2);
  });

  it('lists the keys of a machine, and removes those that are deleted with it', async () => {
    const { id: parentId } = await stores.locations.create(organization(), 'plant', undefined);
    const id = machineId(await stores.machines.create(parentId, 'arm'));
    const role: Role = { name: 'operator', resourceType: 'robot', resourceId: id };
    const made = await stores.apiKeys.create(organization(), { name: 'arm key', roles: [role] });
    const listed = await stores.apiKeys.listForMachine(organization(), id);
    assert.deepEqual(
      listed.map((key) => [key.id, key.name, key.roles]),
      [[made.id, 'arm key', [role]]],
    );
    assert.deepEqual(await names(), ['arm key', 'Local owner']);
    await stores.machines.delete({ id, locationId: locationId(parentId) });
    assert.deepEqual(await names(), ['Local owner']);
  });
});

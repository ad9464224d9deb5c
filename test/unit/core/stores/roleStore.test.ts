import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { type Identity, inRoleOrder, type Role } from '../../../../src/core/model/access';
import { organizationId, userId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { roleResourceNames } from '../../../../src/core/stores/roleResourceNames';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('RoleStore', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let member: Identity;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const id = await stores.members.userIdByEmail('owner@localhost');
    member = { type: 'user', id: userId(id) };
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const organization = () => organizationId(fleet.organizationId);
  const owner = (): Role => ({
    name: 'owner',
    resourceType: 'organization',
    resourceId: fleet.organizationId,
  });
  const readRoles = async ({ id }: Identity): Promise<string[]> => {
    const all = await stores.roles.list(organization());
    const assigned = all.filter(({ identity }) => identity.id === id);
    return inRoleOrder(assigned).map(({ name, resourceType }) => `${name} of ${resourceType}`);
  };

  it('adds, changes, and removes roles, and reports each change', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const operator: Role = { name: 'operator', resourceType: 'location', resourceId: plant.id };
    const changes: string[] = [];
    stores.roles.onDidChange(({ parents }) => changes.push(...parents));
    stores.access.onDidChange(() => changes.push('permissions'));
    await stores.roles.add(organization(), member, operator);
    assert.deepEqual(await readRoles(member), ['owner of organization', 'operator of location']);
    const to: Role = { ...operator, name: 'owner' };
    await stores.roles.change(organization(), member, { from: operator, to });
    assert.deepEqual(await readRoles(member), ['owner of organization', 'owner of location']);
    await stores.roles.remove(organization(), member, to);
    assert.deepEqual(await readRoles(member), ['owner of organization']);
    const once = [fleet.organizationId, 'permissions'];
    assert.deepEqual(changes.toSorted(), [...once, ...once, ...once].toSorted());
  });

  it('lists the current roles on some resources', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const role: Role = { name: 'operator', resourceType: 'location', resourceId: plant.id };
    await stores.roles.add(organization(), member, role);
    const [only, ...others] = await stores.roles.listOn(organization(), [plant.id]);
    assert.equal(only?.identity.id, member.id);
    assert.deepEqual(others, []);
    assert.equal((await stores.roles.list(organization())).length, 3);
  });

  it('never leaves an organization without an owner', async () => {
    const key = (await stores.roles.list(organization())).find(
      ({ identity }) => identity.type === 'apiKey',
    );
    assert.ok(key);
    await stores.roles.remove(organization(), member, owner());
    await assert.rejects(
      stores.roles.remove(organization(), key.identity, owner()),
      (error) => error instanceof FleetError && error.kind === 'conflict',
    );
  });

  it('removes roles with their resource', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'arm');
    const role: Role = { name: 'operator', resourceType: 'robot', resourceId: machine };
    await stores.roles.add(organization(), member, role);
    assert.equal((await readRoles(member)).length, 2);
    await stores.machines.delete({ id: machine, locationId: plant.id });
    assert.deepEqual(await readRoles(member), ['owner of organization']);
  });

  it('names the resources of roles with few calls', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const hall = await stores.locations.create(organization(), 'Hall', undefined);
    const arm = await stores.machines.create(plant.id, 'arm');
    const leg = await stores.machines.create(hall.id, 'leg');
    await stores.machines.list(plant.id);
    const on = (resourceType: Role['resourceType'], resourceId: string): Role => ({
      name: 'owner',
      resourceType,
      resourceId,
    });
    fleet.calls.clear();
    const roles = [on('location', plant.id), on('location', hall.id), on('robot', arm)];
    const names = await roleResourceNames(stores, organization(), [
      ...roles,
      on('robot', leg),
      on('robot', 'gone'),
    ]);
    assert.deepEqual(Object.fromEntries(names), {
      [plant.id]: 'Plant',
      [hall.id]: 'Hall',
      [arm]: 'arm',
      [leg]: 'leg',
    });
    assert.deepEqual(Object.fromEntries(fleet.calls), { ListLocations: 1, GetRobot: 2 });
  });
});

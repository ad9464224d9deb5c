import assert from 'node:assert/strict';
import { organizationId } from '../../../../src/core/model/ids';
import type { ResourceTarget } from '../../../../src/core/model/resourceTarget';
import { ownersAbove } from '../../../../src/core/stores/ownersAbove';
import { keyWithRoles } from '../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('ownersAbove', () => {
  let fleet: MemoryFleet;
  let owner: TestSessions;
  let target: ResourceTarget;
  let plantId: string;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    owner = new TestSessions(fleet);
    const { locations, machines } = owner.stores();
    const organization = organizationId(fleet.organizationId);
    const plant = await locations.create(organization, 'Plant', undefined);
    plantId = plant.id;
    const hall = await locations.create(organization, 'Hall', plant.id);
    target = {
      kind: 'machine',
      connectionId: owner.connectionToFleet.id,
      organizationId: organization,
      locationId: hall.id,
      machineId: await machines.create(hall.id, 'arm'),
      name: 'arm',
    };
  });

  afterEach(async () => {
    owner.dispose();
    await fleet.close();
  });

  it('names the owners of the parents of a resource', async () => {
    const { members } = await owner.stores().members.list(target.organizationId);
    const [first] = members;
    assert.ok(first);
    assert.deepEqual(await ownersAbove(owner.stores(), target), [first.email]);
  });

  it('excludes owners of other resources', async () => {
    const stores = owner.stores();
    const roles = await stores.roles.list(target.organizationId);
    const elsewhere = roles.map((role) => ({ ...role, resourceId: 'elsewhere' }));
    stores.roles.list = () => Promise.resolve(elsewhere);
    assert.deepEqual(await ownersAbove(stores, target), []);
    const above = roles.map((role) => ({ ...role, resourceId: plantId }));
    stores.roles.list = () => Promise.resolve(above);
    assert.equal((await ownersAbove(stores, target))?.length, 1);
  });

  it('returns nothing if the key cannot read the members', async () => {
    const limited = new TestSessions(await keyWithRoles(fleet, ['operator', 'location', plantId]));
    assert.equal(await ownersAbove(limited.stores(), target), undefined);
    limited.dispose();
  });
});

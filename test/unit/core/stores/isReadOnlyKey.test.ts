import assert from 'node:assert/strict';
import { organizationId } from '../../../../src/core/model/ids';
import { isReadOnlyKey } from '../../../../src/core/stores/isReadOnlyKey';
import { keyWithRoles } from '../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('isReadOnlyKey', () => {
  let fleet: MemoryFleet;
  let locationId: string;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    const owner = new TestSessions(fleet);
    const { locations } = owner.stores();
    const plant = await locations.create(organizationId(fleet.organizationId), 'Plant', undefined);
    locationId = plant.id;
    owner.dispose();
  });

  afterEach(() => fleet.close());

  async function check(...roles: Parameters<typeof keyWithRoles>[1][]): Promise<boolean> {
    const sessions = new TestSessions(await keyWithRoles(fleet, ...roles));
    try {
      fleet.calls.clear();
      return await isReadOnlyKey(sessions.stores(), sessions.connectionToFleet.keyId);
    } finally {
      sessions.dispose();
    }
  }

  it('is false for an owner of the organization, without reading roles', async () => {
    assert.equal(await check(['owner', 'organization', fleet.organizationId]), false);
    assert.equal(fleet.calls.get('ListAuthorizations'), undefined);
  });

  it('is true for an operator of the organization', async () => {
    assert.equal(await check(['operator', 'organization', fleet.organizationId]), true);
  });

  it('is false for an operator who owns a location', async () => {
    const roles = [
      ['operator', 'organization', fleet.organizationId],
      ['owner', 'location', locationId],
    ] as const;
    assert.equal(await check(...roles), false);
  });

  it('is false for a key that cannot read roles', async () => {
    assert.equal(await check(['operator', 'location', locationId]), false);
  });
});

import assert from 'node:assert/strict';
import { organizationId } from '../../../../../src/core/model/ids';
import type { LocationTarget } from '../../../../../src/core/model/resourceTarget';
import {
  firstQuery,
  getQueriedOrganization,
} from '../../../../../src/host/features/query/queriedOrganization';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

describe('the initial query of a panel', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;

  before(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
  });

  after(async () => {
    sessions.dispose();
    await fleet.close();
  });

  it('includes all descendants of a location, in the organization that owns it', async () => {
    const stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const hall = await stores.locations.create(organization, 'Hall', plant.id);
    await stores.locations.create(organization, 'Other', undefined);
    const target: LocationTarget = {
      kind: 'location',
      connectionId: sessions.connectionToFleet.id,
      name: 'Plant',
      organizationId: organization,
      locationId: plant.id,
    };
    const query = await firstQuery(stores, target);
    assert.ok(query?.text.includes(`location_id IN ('${plant.id}', '${hall.id}')`), query?.text);
    const queried = await getQueriedOrganization(stores, target);
    assert.equal(queried.kind, 'organization');
    assert.equal(queried.organizationId, organization);
    const { kind, connectionId, organizationId: id, name } = queried;
    assert.equal(
      await firstQuery(stores, { kind, connectionId, organizationId: id, name }),
      undefined,
    );
  });
});

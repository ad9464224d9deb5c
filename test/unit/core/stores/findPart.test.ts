import assert from 'node:assert/strict';
import { organizationId } from '../../../../src/core/model/ids';
import { findPart } from '../../../../src/core/stores/findMachines';
import { openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('findPart with only an ID', () => {
  it('names the organization of the part, even if another one that can see it is listed first', async () => {
    const fleet = await openMemoryFleet();
    const sessions = new TestSessions(fleet);
    try {
      const stores = sessions.stores();
      const owner = organizationId(fleet.organizationId);
      const hall = await stores.locations.create(owner, 'Hall', undefined);
      await stores.machines.create(hall.id, 'arm');
      const [machine] = await stores.machines.list(hall.id);
      assert.ok(machine);
      const [part] = await stores.parts.list(machine.id);
      assert.ok(part);
      const partner = await stores.organizations.create('AAA Partner');
      await stores.locations.share(hall, partner.id);
      stores.refresh();
      const { id } = sessions.connectionToFleet;
      const { target, organization } = await findPart(stores, id, part.id);
      assert.equal(organization.id, owner);
      assert.equal(target.organizationId, owner);
    } finally {
      sessions.dispose();
      await fleet.close();
    }
  });
});

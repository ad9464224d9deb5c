import assert from 'node:assert/strict';
import { findFirstMachine } from '../../../../src/core/listing/findFirstMachine';
import { type LocationId, organizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { MemoryMachine } from '../../../support/memoryMachine';
import { TestSessions } from '../../../support/testSessions';

describe('findFirstMachine', () => {
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

  async function createLocation(name: string): Promise<LocationId> {
    const organization = organizationId(fleet.organizationId);
    return (await stores.locations.create(organization, name, undefined)).id;
  }

  const find = async () => findFirstMachine(stores, sessions.connectionToFleet);

  it('returns undefined for a fleet without machines', async () => {
    await createLocation('Empty');
    assert.equal(await find(), undefined);
  });

  it('skips locations without machines', async () => {
    await createLocation('A');
    const locationId = await createLocation('B');
    const machineId = await stores.machines.create(locationId, 'arm');
    assert.deepEqual(await find(), {
      kind: 'machine',
      connectionId: sessions.connectionToFleet.id,
      organizationId: fleet.organizationId,
      locationId,
      machineId,
      name: 'arm',
    });
  });

  it('prefers a machine that is online', async () => {
    const locationId = await createLocation('A');
    await stores.machines.create(locationId, 'arm');
    const online = await stores.machines.create(locationId, 'belt');
    const [part] = await stores.parts.list(online);
    assert.ok(part);
    await (await MemoryMachine.ofPart(fleet, part.id)).start();
    stores.refresh();
    assert.equal((await find())?.name, 'belt');
  });
});

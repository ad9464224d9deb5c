import assert from 'node:assert/strict';
import { organizationId } from '../../../../src/core/model/ids';
import type { MachineTarget } from '../../../../src/core/model/resourceTarget';
import { findMainPart } from '../../../../src/core/stores/findMachines';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('findMainPart', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let target: MachineTarget;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const owner = organizationId(fleet.organizationId);
    const hall = await stores.locations.create(owner, 'Hall', undefined);
    await stores.machines.create(hall.id, 'arm');
    const [machine] = await stores.machines.list(hall.id);
    assert.ok(machine);
    target = {
      kind: 'machine',
      connectionId: sessions.connectionToFleet.id,
      organizationId: owner,
      locationId: hall.id,
      machineId: machine.id,
      name: machine.name,
    };
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  it('finds the main part among several', async () => {
    await stores.parts.create(target.machineId, 'a-camera');
    const part = await findMainPart(stores, target);
    assert.equal(part?.name, 'arm-main');
    assert.equal(part.machineName, 'arm');
  });

  it('finds another part after it becomes the main part', async () => {
    await stores.parts.create(target.machineId, 'a-camera');
    const parts = await stores.parts.list(target.machineId);
    const camera = parts.find(({ name }) => name === 'a-camera');
    assert.ok(camera);
    await stores.parts.markAsMain(camera);
    assert.equal((await findMainPart(stores, target))?.name, 'a-camera');
  });
});

import assert from 'node:assert/strict';
import { organizationId } from '../../../../../src/core/model/ids';
import type { PartTarget } from '../../../../../src/core/model/resourceTarget';
import { LastPart } from '../../../../../src/host/platform/deploy/deployTools';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryKeyValue } from '../../../../support/memoryPorts';
import { TestSessions } from '../../../../support/testSessions';

describe('LastPart', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let storage: MemoryKeyValue;
  let target: PartTarget;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    storage = new MemoryKeyValue();
    const { locations, machines, parts } = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const { id: locationId } = await locations.create(organization, 'Hall', undefined);
    const machineId = await machines.create(locationId, 'rover');
    const [part] = await parts.list(machineId);
    assert.ok(part);
    target = {
      kind: 'part',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organization,
      locationId,
      machineId,
      machineName: 'rover',
      partId: part.id,
      name: part.name,
    };
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  it('finds the part again with its parents, also under a new name', async () => {
    await new LastPart(storage, sessions).remember(target);
    assert.deepEqual(await new LastPart(storage, sessions).find(target.connectionId), target);
    await sessions
      .stores()
      .machines.rename({ id: target.machineId, locationId: target.locationId }, 'scout');
    const found = await new LastPart(storage, sessions).find(target.connectionId);
    assert.equal(found?.machineName, 'scout');
  });

  it('returns nothing before the first part, and after it was deleted', async () => {
    const last = new LastPart(storage, sessions);
    assert.equal(await last.find(target.connectionId), undefined);
    await last.remember(target);
    const { machineId: id, locationId } = target;
    await sessions.stores().machines.delete({ id, locationId });
    assert.equal(await last.find(target.connectionId), undefined);
  });

  it('returns nothing for invalid stored data', async () => {
    const last = new LastPart(storage, sessions);
    await last.remember(target);
    for (const key of storage.keys()) await storage.update(key, { partId: 1 });
    assert.equal(await last.find(target.connectionId), undefined);
  });
});

import assert from 'node:assert/strict';
import type { DocumentSubject } from '../../../../src/core/documents/documentAddress';
import {
  findDocumentTarget,
  canChangeDocument,
} from '../../../../src/core/documents/documentResource';
import { organizationId, partId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { keyWithRoles } from '../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('the permission to change a document', () => {
  let fleet: MemoryFleet;
  let owner: TestSessions;
  let subjects: readonly DocumentSubject[];
  let plantId: string;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    owner = new TestSessions(fleet);
    subjects = await everySubject(owner.stores());
  });

  afterEach(async () => {
    owner.dispose();
    await fleet.close();
  });

  async function everySubject(stores: FleetStores): Promise<readonly DocumentSubject[]> {
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    plantId = plant.id;
    const machine = await stores.machines.create(plant.id, 'arm');
    const [part] = await stores.parts.list(machine);
    assert.ok(part);
    const fragment = await stores.fragments.create(organization, 'base');
    return [
      { type: 'partConfig', id: part.id },
      { type: 'partMetadata', id: part.id },
      { type: 'machineMetadata', id: machine },
      { type: 'locationMetadata', id: plant.id },
      { type: 'fragmentConfig', id: fragment.id },
      { type: 'organizationMetadata', id: organization },
    ];
  }

  async function changeable(...roles: Parameters<typeof keyWithRoles>[1][]): Promise<string[]> {
    const sessions = new TestSessions(await keyWithRoles(fleet, ...roles));
    const found: string[] = [];
    for (const subject of subjects) {
      if (await canChangeDocument(sessions.stores(), subject)) found.push(subject.type);
    }
    sessions.dispose();
    return found;
  }

  it('requires an owner of its resource', async () => {
    const all = subjects.map(({ type }) => type);
    assert.deepEqual(await changeable(['owner', 'organization', fleet.organizationId]), all);
    assert.deepEqual(await changeable(['operator', 'organization', fleet.organizationId]), []);
    assert.deepEqual(
      await changeable(
        ['owner', 'location', plantId],
        ['operator', 'organization', fleet.organizationId],
      ),
      all.slice(0, 4),
    );
  });

  it('is granted if the resource cannot be read', async () => {
    const gone: DocumentSubject = { type: 'partConfig', id: partId('gone') };
    assert.equal(await canChangeDocument(owner.stores(), gone), true);
  });

  it('applies to the resource of the document', async () => {
    const { id: connectionId } = owner.connectionToFleet;
    const found = await Promise.all(
      subjects.map((subject) => findDocumentTarget(owner.stores(), { connectionId, subject })),
    );
    assert.deepEqual(
      found.map((target) => target && `${target.kind} ${target.name}`),
      [
        'part arm-main',
        'part arm-main',
        'machine arm',
        'location Plant',
        'fragment base',
        'organization My Fleet',
      ],
    );
  });
});

import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { organizationId } from '../../../../src/core/model/ids';
import { activeSecrets } from '../../../../src/core/stores/secretStore';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { owningOrganization } from '../../../../src/core/stores/ownersAbove';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

function ofKind(...kinds: string[]): (error: unknown) => boolean {
  return (error) => error instanceof FleetError && kinds.includes(error.kind);
}

describe('the stores for settings, secrets, and sharing', () => {
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

  it('change one setting of an organization and preserve the others', async () => {
    await stores.organizations.update(organization(), { region: 'eu-north', crmId: 'CRM-7' });
    const { name } = await stores.organizations.update(organization(), { crmId: 'CRM-8' });
    assert.equal(name, 'My Fleet');
    const [now] = await stores.organizations.list();
    assert.deepEqual([now?.region, now?.crmId, now?.publicNamespace], ['eu-north', 'CRM-8', '']);
  });

  it('set a namespace once, and detect one in use', async () => {
    const other = await stores.organizations.create('Other');
    assert.equal(await stores.organizations.isNamespaceAvailable('acme'), true);
    await stores.organizations.update(organization(), { publicNamespace: 'acme' });
    assert.equal(await stores.organizations.isNamespaceAvailable('acme'), false);
    await assert.rejects(
      stores.organizations.update(other.id, { publicNamespace: 'acme' }),
      FleetError,
    );
    await assert.rejects(
      stores.organizations.update(organization(), { publicNamespace: 'acme-2' }),
      FleetError,
    );
    await assert.rejects(stores.organizations.isNamespaceAvailable('Acme!'), ofKind('invalid'));
  });

  it('set the region of a location without moving or renaming it', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const hall = await stores.locations.create(organization(), 'Hall', plant.id);
    const changed = await stores.locations.setRegion(hall, 'eu-north');
    assert.deepEqual(
      [changed.name, changed.parentId, changed.region],
      ['Hall', plant.id, 'eu-north'],
    );
  });

  for (const kind of ['location', 'part'] as const) {
    it(`create and delete secrets of a ${kind}, at most two`, async () => {
      const plant = await stores.locations.create(organization(), 'Plant', undefined);
      const machine = await stores.machines.create(plant.id, 'arm');
      const [part] = await stores.parts.list(machine);
      assert.ok(part);
      const owner = kind === 'part' ? { kind, id: part.id } : ({ kind, id: plant.id } as const);
      const [first, ...none] = await stores.secrets.list(owner);
      assert.ok(first && none.length === 0);
      const both = await stores.secrets.create(owner);
      assert.equal(activeSecrets(both).length, 2);
      assert.ok(both.every(({ secret, createdOn }) => secret !== '' && createdOn));
      await assert.rejects(stores.secrets.create(owner), /two|2/);
      await stores.secrets.delete(owner, first.id);
      const left = await stores.secrets.list(owner);
      assert.deepEqual(
        left.map(({ id }) => id),
        both.filter(({ id }) => id !== first.id).map(({ id }) => id),
      );
      await assert.rejects(stores.secrets.delete(owner, first.id), ofKind('notFound'));
    });
  }

  it('share and unshare a location, and notify both organizations', async () => {
    const other = await stores.organizations.create('Other');
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    assert.deepEqual([plant.owner?.id, plant.sharedWith], [organization(), []]);
    const changes: (readonly string[])[] = [];
    stores.locations.onDidChange(({ parents }) => changes.push(parents));

    await stores.locations.share(plant, other.id);
    const [shared] = await stores.locations.list(other.id);
    assert.deepEqual([shared?.id, shared?.owner?.name], [plant.id, 'My Fleet']);
    assert.deepEqual((await stores.locations.list(organization()))[0]?.sharedWith, [other.id]);
    const readers = await stores.locations.organizationsWithAccess(plant.id);
    assert.deepEqual(
      readers.map(({ name }) => name),
      ['My Fleet', 'Other'],
    );

    const location = { organizationId: other.id, locationId: plant.id };
    assert.equal((await owningOrganization(stores, location)).name, 'My Fleet');

    await stores.locations.rename(plant, 'Factory');
    assert.equal((await stores.locations.list(other.id))[0]?.name, 'Factory');
    await stores.locations.create(organization(), 'Hall', plant.id);
    assert.equal((await stores.locations.list(other.id)).length, 2);

    await stores.locations.unshare(plant, other.id);
    assert.deepEqual(await stores.locations.list(other.id), []);
    const both = [organization(), other.id];
    assert.deepEqual(
      changes.map((parents) => parents.toSorted()),
      Array.from({ length: 4 }, () => both.toSorted()),
    );
  });
});

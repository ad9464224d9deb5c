import assert from 'node:assert/strict';
import { organizationId } from '../../../../src/core/model/ids';
import type { RegistryItem } from '../../../../src/core/model/registryItem';
import { findRegistryUsers } from '../../../../src/core/modules/registryUsers';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('findRegistryUsers', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let item: RegistryItem;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const { id } = await stores.registry.createModule(organization(), 'arm');
    item = await stores.registry.get(id);
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const organization = () => organizationId(fleet.organizationId);

  async function machine(name: string, config: unknown): Promise<void> {
    const [location] = await stores.locations.list(organization());
    const { id } = location ?? (await stores.locations.create(organization(), 'Yard', undefined));
    const created = await stores.machines.create(id, name);
    const [part] = await stores.parts.list(created);
    assert.ok(part);
    const configText = JSON.stringify(config);
    await stores.parts.updateConfig(part.id, { name: part.name, configText });
  }

  async function users(): Promise<string[]> {
    item = await stores.registry.get(item.id, { fresh: true });
    const { signal } = new AbortController();
    const found = await findRegistryUsers(stores, sessions.connectionToFleet.id, item, signal);
    return found.map(({ kind, name, versions }) => `${kind} ${name} ${[...versions].join(',')}`);
  }

  const naming = (version: string) => ({
    modules: [{ type: 'registry', name: 'arm', module_id: item.id, version }],
  });

  it('reads no machine if the service reports that none uses the item', async () => {
    await machine('rover', {});
    fleet.calls.clear();
    assert.deepEqual(await users(), []);
    assert.equal(fleet.calls.get('GetRobotParts'), undefined);
  });

  it('names machines that use the item directly or through fragments, and the fragments', async () => {
    const inner = await stores.fragments.create(
      organization(),
      'inner',
      JSON.stringify(naming('1.0.0')),
    );
    const outer = await stores.fragments.create(
      organization(),
      'outer',
      JSON.stringify({ fragments: [inner.id] }),
    );
    await machine('rover 10', naming('latest'));
    await machine('rover 2', { fragments: [outer.id] });
    await machine('spare', {});
    assert.deepEqual(await users(), [
      'machine rover 2 1.0.0',
      'machine rover 10 latest',
      'fragment inner 1.0.0',
    ]);
  });
});

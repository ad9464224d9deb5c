import assert from 'node:assert/strict';
import { clientsOver } from '../../../../src/core/api/fleetClients';
import { FleetError } from '../../../../src/core/api/errors';
import { toConnectionId } from '../../../../src/core/model/connection';
import type { Location } from '../../../../src/core/model/entities';
import { apiKeyId, organizationId } from '../../../../src/core/model/ids';
import { FleetSession } from '../../../../src/core/sessions/fleetSession';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import type { ReadOptions } from '../../../../src/core/stores/resourceCache';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';

function ofKind(kind: string): (error: unknown) => boolean {
  return (error) => error instanceof FleetError && error.kind === kind;
}

describe('the stores of a fleet', () => {
  let fleet: MemoryFleet;
  let session: FleetSession;
  let stores: FleetStores;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    session = openSession();
    stores = session.stores;
  });

  afterEach(async () => {
    session.dispose();
    await fleet.close();
  });

  function openSession(): FleetSession {
    const connection = {
      id: toConnectionId(fleet.key.id),
      label: 'Test',
      baseUrl: fleet.baseUrl,
      keyId: fleet.key.id,
      kind: 'cloud',
    } as const;
    return new FleetSession(connection, fleet.open, () => Promise.resolve(fleet.key));
  }

  const organization = () => organizationId(fleet.organizationId);

  /** Deletes a location as if in another window. */
  async function deleteElsewhere(location: Location): Promise<void> {
    const other = openSession();
    await other.stores.locations.delete(location);
    other.dispose();
  }

  it('clear cached data after a sign-out, and reload every list on request', () => {
    const members = Object.entries(stores).filter(([, member]) => !(member instanceof Set));
    const spyOn = (method: 'clear' | 'refresh'): { expected: string[]; called: Set<string> } => {
      const called = new Set<string>();
      const expected = members.flatMap(([name, store]) => {
        const original: unknown = Reflect.get(Object(store), method);
        if (typeof original !== 'function') return [];
        Object.assign(store, {
          [method]: () => {
            called.add(name);
            Reflect.apply(original, store, []);
          },
        });
        return [name];
      });
      return { expected, called };
    };
    const cleared = spyOn('clear');
    stores.signOut();
    assert.ok(cleared.expected.length > 10);
    assert.deepEqual([...cleared.called].sort(), cleared.expected.sort());
    const refreshed = spyOn('refresh');
    stores.refresh();
    // Permissions are read again on demand. Nothing displays them.
    const lists = refreshed.expected.filter((name) => name !== 'access');
    assert.deepEqual([...refreshed.called].sort(), lists.sort());
  });

  it('create, rename, and delete organizations', async () => {
    const events: string[] = [];
    stores.organizations.onDidChange(({ ids, removed, list }) =>
      events.push(`${ids.length} ${removed.length} ${String(list)}`),
    );
    const created = await stores.organizations.create('Acme');
    const renamed = await stores.organizations.rename(created.id, 'Acme Robotics');
    assert.equal(renamed.name, 'Acme Robotics');
    assert.deepEqual(
      (await stores.organizations.list()).map(({ name }) => name),
      ['Acme Robotics', 'My Fleet'],
    );
    await stores.organizations.delete(created.id);
    assert.equal((await stores.organizations.list()).length, 1);
    assert.deepEqual(events, ['1 0 true', '1 0 true', '0 1 true']);
  });

  it('read a list once and again after a change', async () => {
    await stores.locations.list(organization());
    await stores.locations.list(organization());
    assert.equal(fleet.calls.get('ListLocations'), 1);
    await stores.locations.create(organization(), 'Plant', undefined);
    await stores.locations.list(organization());
    assert.equal(fleet.calls.get('ListLocations'), 2);
  });

  it('preserve the parent of a renamed location, and move it on request', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const hall = await stores.locations.create(organization(), 'Hall', plant.id);
    const renamed = await stores.locations.rename(hall, 'Hall 1');
    assert.equal(renamed.parentId, plant.id);
    const moved = await stores.locations.move(renamed, undefined);
    assert.equal(moved.parentId, undefined);
    assert.equal(moved.name, 'Hall 1');
    const back = await stores.locations.move(moved, plant.id);
    assert.equal(back.parentId, plant.id);
  });

  it('LocationStore.rename preserves the parent that another user has set', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const hall = await stores.locations.create(organization(), 'Hall', undefined);
    const other = openSession();
    await other.stores.locations.move(hall, plant.id);
    const renamed = await stores.locations.rename(hall, 'Hall 1');
    assert.deepEqual([renamed.name, renamed.parentId], ['Hall 1', plant.id]);
    other.dispose();
  });

  it('LocationStore.setRegion preserves the name and the parent that another user has set', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const hall = await stores.locations.create(organization(), 'Hall', undefined);
    const other = openSession();
    await other.stores.locations.rename(hall, 'Hall 1');
    await other.stores.locations.move(hall, plant.id);
    const changed = await stores.locations.setRegion(hall, 'eu-north');
    assert.deepEqual(
      [changed.name, changed.parentId, changed.region],
      ['Hall 1', plant.id, 'eu-north'],
    );
    other.dispose();
  });

  it('LocationStore.move preserves the name that another user has set', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const hall = await stores.locations.create(organization(), 'Hall', undefined);
    const other = openSession();
    await other.stores.locations.rename(hall, 'Hall 1');
    const moved = await stores.locations.move(hall, plant.id);
    assert.deepEqual([moved.name, moved.parentId], ['Hall 1', plant.id]);
    other.dispose();
  });

  it('write a name that equals the cached one', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'arm-1');
    await stores.machines.list(plant.id);
    const other = openSession();
    await other.stores.locations.rename(plant, 'Factory');
    await other.stores.machines.rename({ id: machine, locationId: plant.id }, 'arm-2');
    await stores.locations.rename(plant, 'Plant');
    await stores.machines.rename({ id: machine, locationId: plant.id }, 'arm-1');
    assert.equal((await other.stores.locations.get(plant.id, { fresh: true })).name, 'Plant');
    assert.equal((await other.stores.machines.get(machine)).name, 'arm-1');
    other.dispose();
  });

  it('MachineStore.rename sends the current location of the machine', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const former = await stores.locations.create(organization(), 'Former', undefined);
    const machine = await stores.machines.create(plant.id, 'arm-1');
    const renamed = await stores.machines.rename({ id: machine, locationId: former.id }, 'arm-2');
    assert.deepEqual([renamed.name, renamed.locationId], ['arm-2', plant.id]);
  });

  it('read again if another client deleted a resource before its change', async () => {
    const home = await stores.locations.create(organization(), 'Home', undefined);
    await stores.locations.list(organization());
    const reread: unknown[] = [];
    stores.locations.onDidChange(({ parents }) => reread.push(...parents));
    await deleteElsewhere(home);
    await assert.rejects(stores.locations.rename(home, 'House'), ofKind('notFound'));
    assert.deepEqual(reread, [organization()]);
    await assert.rejects(stores.locations.delete(home), ofKind('notFound'));
    assert.deepEqual(await stores.locations.list(organization()), []);
  });

  it('notify all listeners of deletions that a fresh list reveals', async () => {
    const home = await stores.locations.create(organization(), 'Home', undefined);
    await stores.locations.list(organization());
    const reread: unknown[] = [];
    stores.locations.onDidChange(({ parents }) => reread.push(...parents));
    await stores.locations.list(organization(), { fresh: true });
    assert.deepEqual(reread, []);
    await deleteElsewhere(home);
    await stores.locations.list(organization(), { fresh: true });
    assert.deepEqual(reread, [organization()]);
  });

  it('LocationStore.list notifies listeners of every displayed field that a fresh list changes', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const hall = await stores.locations.create(organization(), 'Hall', undefined);
    const partner = await stores.organizations.create('Partner');
    const other = openSession();
    const { locations, machines } = other.stores;
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      name: () => locations.rename(hall, 'Hall 1'),
      parent: () => locations.move(hall, plant.id),
      region: () => locations.setRegion(hall, 'eu-north'),
      sharing: () => locations.share(hall, partner.id),
      machines: () => machines.create(hall.id, 'arm-1'),
    };
    await stores.locations.list(organization());
    let reread: unknown[] = [];
    stores.locations.onDidChange(({ parents }) => reread.push(...parents));
    for (const [field, change] of Object.entries(changes)) {
      await change();
      reread = [];
      await stores.locations.list(organization(), { fresh: true });
      assert.deepEqual(reread, [organization()], field);
    }
    other.dispose();
  });

  it('notify listeners of changes to any resource that a fresh list reveals', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'arm-1');
    const dataset = await stores.datasets.create(organization(), 'screws');
    const item = await stores.registry.createModule(organization(), 'arm');
    const user = { name: 'operator', resourceType: 'location', resourceId: plant.id } as const;
    const key = await stores.apiKeys.create(organization(), { name: 'line', roles: [user] });
    const fresh = { fresh: true };
    const itemKey = { id: item.id, organizationId: organization() };
    const identity = { type: 'apiKey', id: apiKeyId(key.id) } as const;
    const cell = { ...user, resourceType: 'robot', resourceId: machine } as const;
    const other = openSession();
    const theirs = other.stores;
    const newInvite = { email: 'ada@acme.test', roles: [user], sendEmail: false };
    const cases: Partial<
      Record<
        keyof FleetStores,
        readonly [() => Promise<unknown>, (options?: ReadOptions) => Promise<unknown>]
      >
    > = {
      organizations: [
        () => theirs.organizations.rename(organization(), 'Acme'),
        (options) => stores.organizations.list(options),
      ],
      machines: [
        () => theirs.machines.rename({ id: machine, locationId: plant.id }, 'arm-2'),
        (options) => stores.machines.list(plant.id, options),
      ],
      parts: [
        () => theirs.parts.create(machine, 'camera'),
        (options) => stores.parts.list(machine, options),
      ],
      fragments: [
        () => theirs.fragments.create(organization(), 'base'),
        (options) => stores.fragments.list(organization(), options),
      ],
      datasets: [
        () => theirs.datasets.rename({ id: dataset, organizationId: organization() }, 'nuts'),
        (options) => stores.datasets.list(organization(), options),
      ],
      registry: [
        () => theirs.registry.updateItem(itemKey, { description: 'Moves an arm' }),
        (options) => stores.registry.list(organization(), options),
      ],
      members: [
        () => theirs.members.invite(organization(), newInvite),
        (options) => stores.members.list(organization(), options),
      ],
      roles: [
        () => theirs.roles.add(organization(), identity, cell),
        (options) => stores.roles.list(organization(), options),
      ],
      apiKeys: [
        () => theirs.apiKeys.duplicate(organization(), apiKeyId(key.id)),
        (options) => stores.apiKeys.list(organization(), options),
      ],
    };
    for (const [name, [change, list]] of Object.entries(cases)) {
      const events: unknown[] = [];
      await list();
      const { onDidChange } = stores[name as 'machines'];
      const following = onDidChange((event) => events.push(event));
      await list(fresh);
      assert.deepEqual(events, [], `${name} without a change`);
      await change();
      const listed = await list(fresh);
      assert.notDeepEqual(events, [], name);
      assert.deepEqual(await list(), listed, name);
      following.dispose();
    }
    other.dispose();
  });

  it('report which resources a fresh list shows as renamed or deleted', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'arm-1');
    const [part] = await stores.parts.list(machine);
    const gone = await stores.datasets.create(organization(), 'nuts');
    assert.ok(part);
    await stores.parts.get(part.id);
    await stores.locations.list(organization());
    await stores.machines.list(plant.id);
    await stores.datasets.list(organization());
    const ids: unknown[] = [];
    const removed: unknown[] = [];
    const { locations, machines, parts, datasets } = stores;
    for (const { onDidChange } of [locations, machines, parts, datasets]) {
      onDidChange((change) => {
        ids.push(...change.ids);
        removed.push(...change.removed);
      });
    }
    const other = openSession();
    await other.stores.locations.rename(plant, 'Plant 1');
    await other.stores.machines.rename({ id: machine, locationId: plant.id }, 'arm-2');
    await other.stores.parts.rename(part.id, 'main');
    await other.stores.datasets.delete({ id: gone, organizationId: organization() });
    other.dispose();
    await locations.list(organization(), { fresh: true });
    await machines.reread([plant.id]);
    await parts.rereadLists([machine]);
    await datasets.list(organization(), { fresh: true });
    assert.deepEqual([ids, removed], [[plant.id, machine, part.id], [gone]]);
    assert.equal((await parts.get(part.id)).name, 'main');
  });

  it('RegistryStore.get notifies listeners of a version that a fresh item reveals', async () => {
    const { id } = await stores.registry.createModule(organization(), 'arm');
    const key = { id, organizationId: organization() };
    await stores.registry.list(organization());
    await stores.registry.get(id);
    const changed: unknown[] = [];
    stores.registry.onDidChange(({ ids, parents }) => changed.push(...ids, ...parents));
    await stores.registry.get(id, { fresh: true });
    assert.deepEqual(changed, []);
    const other = openSession();
    await other.stores.registry.updateItem(key, { description: 'Moves an arm' });
    other.dispose();
    await stores.registry.get(id, { fresh: true });
    assert.deepEqual(changed, [id, organization()]);
    const [listed] = await stores.registry.list(organization());
    assert.equal(listed?.description, 'Moves an arm');
    assert.equal((await stores.registry.get(id)).description, 'Moves an arm');
  });

  it('read machines and their parts', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'arm-1');
    const [main] = await stores.parts.list(machine);
    assert.ok(main?.main);
    const second = await stores.parts.create(machine, 'camera');
    await stores.parts.markAsMain({ id: second, machineId: machine });
    const parts = await stores.parts.list(machine);
    assert.deepEqual(
      parts.map((part) => [part.name, part.main]),
      [
        ['camera', true],
        ['arm-1-main', false],
      ],
    );
    await stores.parts.delete({ id: main.id, machineId: machine });
    assert.equal((await stores.parts.list(machine)).length, 1);
    await stores.machines.rename({ id: machine, locationId: plant.id }, 'arm-2');
    assert.equal((await stores.machines.list(plant.id))[0]?.name, 'arm-2');
    await stores.machines.delete({ id: machine, locationId: plant.id });
    assert.deepEqual(await stores.machines.list(plant.id), []);
  });

  it('preserve a config byte for byte and reject a stale write', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'arm-1');
    const [main] = await stores.parts.list(machine);
    assert.ok(main);
    const configText = '{\n\t"z": 1,\n\t"a": 9007199254740993\n}';
    const before = await stores.parts.get(main.id);
    const saved = await stores.parts.updateConfig(main.id, {
      name: before.name,
      configText,
      lastKnownUpdate: before.lastUpdated,
    });
    assert.equal(saved.configText, configText);
    assert.equal((await stores.parts.get(main.id, { fresh: true })).configText, configText);
    const stale = { name: before.name, configText: '{}', lastKnownUpdate: before.lastUpdated };
    await assert.rejects(stores.parts.updateConfig(main.id, stale), ofKind('conflict'));
    const history = await stores.parts.history(main.id, { limit: 1 });
    assert.equal(history.items[0]?.old?.configText, before.configText);
    assert.equal(history.items[0].editor?.kind, 'apiKey');
  });

  it('rename a part without changing its config', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'arm-1');
    const [main] = await stores.parts.list(machine);
    assert.ok(main);
    const configText = '{"components":[{"name":"a","api":"rdk:component:arm","model":"m:m:m"}]}';
    await stores.parts.updateConfig(main.id, { name: main.name, configText });
    const renamed = await stores.parts.rename(main.id, 'brain');
    assert.equal(renamed.name, 'brain');
    assert.equal(renamed.configText, configText);
  });

  it('list private fragments and edit them', async () => {
    const fragment = await stores.fragments.create(organization(), 'base');
    const [listed] = await stores.fragments.list(organization());
    assert.equal(listed?.visibility, 'private');
    const saved = await stores.fragments.updateConfig(fragment.id, {
      name: 'base',
      configText: '{"components":[]}',
      lastKnownUpdate: fragment.lastUpdated,
    });
    assert.deepEqual(JSON.parse(saved.configText), { components: [] });
    const stale = { name: 'base', configText: '{}', lastKnownUpdate: fragment.lastUpdated };
    await assert.rejects(stores.fragments.updateConfig(fragment.id, stale), ofKind('conflict'));
    await assert.rejects(
      stores.fragments.updateConfig(fragment.id, { name: 'base', configText: '[1]' }),
      ofKind('invalid'),
    );
    const renamed = await stores.fragments.rename(fragment.id, 'base 2');
    assert.deepEqual(JSON.parse(renamed.configText), { components: [] });
    assert.ok((await stores.fragments.history(fragment.id)).items.length > 0);
    await stores.fragments.delete(renamed);
    assert.deepEqual(await stores.fragments.list(organization()), []);
  });

  it('read and replace metadata', async () => {
    assert.deepEqual(await stores.metadata.get('organization', fleet.organizationId), {});
    await stores.metadata.update('organization', fleet.organizationId, { owner: 'me' });
    const read = await stores.metadata.get('organization', fleet.organizationId);
    assert.deepEqual(read, { owner: 'me' });
  });

  it('end a call when its reader cancels', async () => {
    const controller = new AbortController();
    const reading = stores.organizations.list({ signal: controller.signal });
    controller.abort();
    await assert.rejects(reading);
    const clients = clientsOver(fleet.wire());
    await assert.rejects(clients.app.listOrganizations({}), /unauthenticated/);
  });
});

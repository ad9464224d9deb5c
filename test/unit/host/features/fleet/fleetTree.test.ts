import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import type { LocationId } from '../../../../../src/core/model/ids';
import { organizationId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { FleetTree } from '../../../../../src/host/features/fleet/fleetTree';
import {
  type FleetNode,
  getResources,
} from '../../../../../src/host/features/fleet/nodes/fleetNode';
import { ErrorNode, LoadMoreNode } from '../../../../../src/host/features/fleet/nodes/listNodes';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryMachine } from '../../../../support/memoryMachine';
import { TestSessions } from '../../../../support/testSessions';

/** Formats a node as a line of a golden tree. */
function line(node: FleetNode): string {
  switch (node.kind) {
    case 'organization':
    case 'location':
    case 'machine':
    case 'part':
    case 'fragment':
    case 'dataset':
    case 'registryItem':
    case 'member':
    case 'invite':
    case 'apiKey':
    case 'role':
      return `${node.kind} ${node.target.name} [${node.contextValue}]`;
    case 'machineGroup':
      return `group ${node.key} (${node.count ?? '?'})`;
    case 'hint':
      return `hint ${node.hint}`;
    case 'loadMore':
      return `load more (${node.shown} of ${node.total})`;
    case 'error':
      return `error ${node.error.kind} [${node.contextValue}]`;
    case 'registryVersion':
      return `version ${node.target.version} [${node.contextValue}]`;
    case 'registryFile':
      return `file ${node.file.platform} [${node.contextValue}]`;
    case 'moduleModel':
      return `model ${node.model.model}`;
    case 'fragments':
    case 'datasets':
    case 'modules':
    case 'otherItems':
    case 'moduleModels':
    case 'members':
    case 'apiKeys':
      return node.kind;
  }
}

const PAGE_SIZE = 5;

describe('FleetTree', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let tree: FleetTree;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    tree = new FleetTree(sessions, fleet.clock, PAGE_SIZE);
  });

  afterEach(async () => {
    tree.dispose();
    sessions.dispose();
    await fleet.close();
  });

  async function draw(node?: FleetNode, indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const child of await tree.listChildren(node)) {
      lines.push(indent + line(child), ...(await draw(child, `${indent}  `)));
    }
    return lines;
  }

  async function child(node: FleetNode | undefined, kind: FleetNode['kind'], name?: string) {
    const children = await tree.listChildren(node);
    const found = children.find(
      (candidate) =>
        candidate.kind === kind &&
        (name === undefined || ('target' in candidate && candidate.target?.name === name)),
    );
    assert.ok(found, `${kind} ${name ?? ''}`);
    return found;
  }

  function createLocation(name: string, parent?: LocationId) {
    return stores.locations.create(organizationId(fleet.organizationId), name, parent);
  }

  function collectChanges(): (string | undefined)[] {
    const ids: (string | undefined)[] = [];
    tree.onDidChange((node) => ids.push(node && line(node)));
    return ids;
  }

  it('shows a hint in every empty list', async () => {
    const empty = await createLocation('Empty');
    const plant = await createLocation('Plant');
    assert.equal(plant.machineCount + empty.machineCount, 0);
    assert.deepEqual(await draw(), [
      'organization My Fleet [administer;control;organization;readData;readSecrets;writeData]',
      '  location Empty [administer;control;location;readData;readSecrets;writeData]',
      '    hint noMachines',
      '  location Plant [administer;control;location;readData;readSecrets;writeData]',
      '    hint noMachines',
      '  fragments',
      '    hint noFragments',
      '  datasets',
      '    hint noDatasets',
      '  modules',
      '    hint noModules',
      '  otherItems',
      '    hint noOtherItems',
      '  members',
      '    member owner@localhost [administer;control;member;readData;readSecrets;writeData]',
      '      role My Fleet [administer;control;ofMember;readData;readSecrets;role;writeData]',
      '  apiKeys',
      '    apiKey Local owner [administer;apiKey;control;inUse;readData;readSecrets;writeData]',
      '      role My Fleet [administer;control;ofKey;readData;readSecrets;role;writeData]',
    ]);
  });

  it("doesn't include the target of a hint in the resources of nodes", async () => {
    await createLocation('Empty');
    const organization = await child(undefined, 'organization');
    const location = await child(organization, 'location', 'Empty');
    const hint = await child(location, 'hint', 'Empty');
    assert.deepEqual(getResources([hint]), []);
    assert.ok('target' in location);
    assert.deepEqual(getResources([location, hint]), [location.target]);
  });

  it('shows what another user has changed in a location after a command reads a fresh list', async () => {
    const empty = await createLocation('Empty');
    const draws = async (): Promise<boolean> =>
      (await draw()).some((text) => text.startsWith('  location Renamed '));
    await draw();
    const elsewhere = new TestSessions(fleet);
    await elsewhere.stores().locations.rename(empty, 'Renamed');
    elsewhere.dispose();
    assert.equal(await draws(), false);
    const changed = collectChanges();
    await stores.locations.list(organizationId(fleet.organizationId), { fresh: true });
    assert.equal(changed.length, 1);
    assert.equal(await draws(), true);
  });

  it('nests locations and sorts by name', async () => {
    const plant = await createLocation('Plant');
    const hall = await createLocation('Hall', plant.id);
    await createLocation('Cell 10', hall.id);
    await createLocation('Cell 2', hall.id);
    await createLocation('Annex');
    await stores.machines.create(hall.id, 'arm-10');
    const machine = await stores.machines.create(hall.id, 'arm-2');
    await stores.parts.create(machine, 'a camera');
    await stores.fragments.create(organizationId(fleet.organizationId), 'base');
    const lines = (await draw()).filter((text) => !text.includes('hint'));
    assert.deepEqual(lines, [
      'organization My Fleet [administer;control;organization;readData;readSecrets;writeData]',
      '  location Annex [administer;control;location;readData;readSecrets;writeData]',
      '  location Plant [administer;control;location;readData;readSecrets;writeData]',
      '    location Hall [administer;control;location;readData;readSecrets;writeData]',
      '      location Cell 2 [administer;control;location;readData;readSecrets;writeData]',
      '      location Cell 10 [administer;control;location;readData;readSecrets;writeData]',
      '      machine arm-2 [administer;awaitingSetup;control;machine;readData;readLogs;readSecrets;writeData]',
      '        part arm-2-main [administer;awaitingSetup;control;fqdn;main;part;readData;readLogs;readSecrets;writeData]',
      '        part a camera [administer;awaitingSetup;control;fqdn;part;readData;readLogs;readSecrets;writeData]',
      '      machine arm-10 [administer;awaitingSetup;control;machine;readData;readLogs;readSecrets;writeData]',
      '        part arm-10-main [administer;awaitingSetup;control;fqdn;main;part;readData;readLogs;readSecrets;writeData]',
      '  fragments',
      '    fragment base [administer;fragment;private]',
      '  datasets',
      '  modules',
      '  otherItems',
      '  members',
      '    member owner@localhost [administer;control;member;readData;readSecrets;writeData]',
      '      role My Fleet [administer;control;ofMember;readData;readSecrets;role;writeData]',
      '  apiKeys',
      '    apiKey Local owner [administer;apiKey;control;inUse;readData;readSecrets;writeData]',
      '      role My Fleet [administer;control;ofKey;readData;readSecrets;role;writeData]',
    ]);
  });

  it('makes one call per expansion', async () => {
    const plant = await createLocation('Plant');
    await createLocation('Hall', plant.id);
    await stores.machines.create(plant.id, 'arm');
    fleet.calls.clear();
    const organization = await child(undefined, 'organization');
    assert.deepEqual([...fleet.calls.keys()].slice(-2), ['ListOrganizations', 'CheckPermissions']);
    const location = await child(organization, 'location', 'Plant');
    await child(location, 'location', 'Hall');
    const machine = await child(location, 'machine');
    await child(machine, 'part');
    await child(await child(organization, 'fragments'), 'hint');
    await child(await child(organization, 'datasets'), 'hint');
    await child(await child(await child(organization, 'members'), 'member'), 'role');
    await child(await child(await child(organization, 'apiKeys'), 'apiKey'), 'role');
    fleet.calls.delete('Authenticate');
    assert.deepEqual(Object.fromEntries(fleet.calls), {
      ListOrganizations: 1,
      CheckPermissions: 1,
      ListLocations: 1,
      ListRobots: 1,
      GetRobotParts: 1,
      ListFragments: 1,
      ListDatasetsByOrganizationID: 1,
      ListOrganizationMembers: 1,
      ListAuthorizations: 1,
      ListKeys: 1,
    });
  });

  it('shows a long list page by page without another call', async () => {
    const plant = await createLocation('Plant');
    for (let index = 0; index < PAGE_SIZE + 2; index += 1) {
      await stores.machines.create(plant.id, `arm-${index}`);
    }
    const location = await child(await child(undefined, 'organization'), 'location');
    fleet.calls.clear();
    const first = await tree.listChildren(location);
    const more = first.at(-1);
    assert.ok(more instanceof LoadMoreNode);
    assert.equal(line(more), `load more (${PAGE_SIZE} of ${PAGE_SIZE + 2})`);
    const changes = collectChanges();
    tree.loadMore(more);
    assert.deepEqual(changes, [
      'location Plant [administer;control;location;readData;readSecrets;writeData]',
    ]);
    assert.equal((await tree.listChildren(location)).length, PAGE_SIZE + 2);
    assert.deepEqual(Object.fromEntries(fleet.calls), { ListRobots: 1 });
  });

  it('shows fragments page by page too, and finds one on a later page', async () => {
    const organization = organizationId(fleet.organizationId);
    for (let index = 0; index <= PAGE_SIZE; index += 1) {
      await stores.fragments.create(organization, `base-${index}`);
    }
    const folder = await child(await child(undefined, 'organization'), 'fragments');
    const first = await tree.listChildren(folder);
    assert.equal(
      line(first.at(-1) ?? assert.fail()),
      `load more (${PAGE_SIZE} of ${PAGE_SIZE + 1})`,
    );
    const last = (await stores.fragments.list(organization)).at(-1) ?? assert.fail();
    const { id: fragmentId, name } = last;
    const { id: connectionId } = sessions.connectionToFleet;
    const where = { connectionId, organizationId: organization };
    const found = await tree.find({ kind: 'fragment', ...where, fragmentId, name });
    assert.equal(found && line(found), 'fragment base-5 [administer;fragment;private]');
  });

  it('refreshes only what changed', async () => {
    const plant = await createLocation('Plant');
    const machineId = await stores.machines.create(plant.id, 'arm');
    await draw();
    const changes = collectChanges();
    await stores.parts.create(machineId, 'camera');
    await stores.machines.create(plant.id, 'arm 2');
    await createLocation('Hall', plant.id);
    await stores.fragments.create(organizationId(fleet.organizationId), 'base');
    await stores.organizations.create('Acme');
    assert.deepEqual(changes, [
      'machine arm [administer;awaitingSetup;control;machine;readData;readLogs;readSecrets;writeData]',
      'location Plant [administer;control;location;readData;readSecrets;writeData]',
      'organization My Fleet [administer;control;organization;readData;readSecrets;writeData]',
      'fragments',
      undefined,
    ]);
  });

  it('shows a new name in place', async () => {
    const plant = await createLocation('Plant');
    const id = await stores.machines.create(plant.id, 'arm');
    const location = await child(await child(undefined, 'organization'), 'location');
    await child(location, 'machine', 'arm');
    const changes = collectChanges();
    await stores.machines.rename({ id, locationId: plant.id }, 'leg');
    assert.deepEqual(changes, [
      'location Plant [administer;control;location;readData;readSecrets;writeData]',
    ]);
    await child(location, 'machine', 'leg');
  });

  it('shows an error as a node with a recovery action, and retries', async () => {
    const failing = new FleetTree(sessions, fleet.clock, PAGE_SIZE);
    const list = stores.organizations.list.bind(stores.organizations);
    stores.organizations.list = () => Promise.reject(new Error('down'));
    const [node] = await failing.listChildren();
    assert.ok(node instanceof ErrorNode);
    assert.equal(line(node), 'error internal [error;retry]');
    stores.organizations.list = list;
    let fired = 0;
    failing.onDidChange(() => (fired += 1));
    failing.retry(node);
    assert.equal(fired, 1);
    assert.equal((await failing.listChildren())[0]?.kind, 'organization');
    failing.dispose();
  });

  it('reloads only lists that failed because the service was unavailable', async () => {
    const list = stores.organizations.list.bind(stores.organizations);
    const failing = new FleetTree(sessions, fleet.clock, PAGE_SIZE);
    let fired = 0;
    failing.onDidChange(() => (fired += 1));
    for (const [kind, times] of [
      ['permission', 0],
      ['unavailable', 1],
    ] as const) {
      stores.organizations.list = () => Promise.reject(new FleetError(kind, 'No.'));
      await failing.listChildren();
      await failing.pollStatus(() => true);
      assert.equal(fired, times, kind);
    }
    stores.organizations.list = list;
    await failing.listChildren();
    await failing.pollStatus(() => true);
    assert.equal(fired, 1);
    failing.dispose();
  });

  it('drops locations and machines that another client deleted, and updates the others', async () => {
    const [plant, annex] = [await createLocation('Plant'), await createLocation('Annex')];
    await stores.machines.create(plant.id, 'arm-1');
    const rover = await stores.machines.create(annex.id, 'rover');
    const crane = await stores.machines.create(annex.id, 'crane');
    await stores.parts.create(crane, 'crane-camera');
    await draw();
    const others = new TestSessions(fleet);
    const client = others.stores();
    await client.locations.delete(plant);
    await client.machines.delete({ id: crane, locationId: annex.id });
    const [part] = await client.parts.list(rover);
    assert.ok(part);
    others.dispose();
    await (await MemoryMachine.ofPart(fleet, part.id)).start();
    const changes = collectChanges();
    await tree.pollStatus(() => true);
    assert.equal(changes.length, 2);
    const rows = (await draw()).map((row) => row.trim().split(' [')[0]);
    assert.ok(rows.includes('location Annex') && rows.includes('machine rover'));
    for (const deleted of ['location Plant', 'machine arm-1', 'machine crane']) {
      assert.ok(!rows.includes(deleted), deleted);
    }
    fleet.calls.clear();
    await tree.pollStatus(() => true);
    assert.deepEqual(Object.fromEntries(fleet.calls), { ListRobots: 1 });
  });

  it('preserves a location that another client moved if its old parent is read last', async () => {
    const [plant, annex] = [await createLocation('Plant'), await createLocation('Annex')];
    const hall = await createLocation('Hall', plant.id);
    await draw();
    const others = new TestSessions(fleet);
    await others.stores().locations.move(hall, annex.id);
    others.dispose();
    stores.locations.refresh();
    const organization = await child(undefined, 'organization');
    const [from, to] = [
      await child(organization, 'location', 'Plant'),
      await child(organization, 'location', 'Annex'),
    ];
    const moved = await child(to, 'location', 'Hall');
    await tree.listChildren(from);
    const changes = collectChanges();
    await stores.machines.create(hall.id, 'arm');
    assert.deepEqual(changes, [line(moved)]);
  });

  it('drops an organization that another client deleted', async () => {
    const other = await stores.organizations.create('Other');
    await stores.locations.create(other.id, 'Annex', undefined);
    await createLocation('Plant');
    await draw();
    const others = new TestSessions(fleet);
    await others.stores().organizations.delete(other.id);
    others.dispose();
    await tree.pollStatus(() => true);
    const rows = (await draw()).map((row) => row.trim().split(' [')[0]);
    assert.ok(rows.includes('location Plant'));
    assert.ok(!rows.includes('organization Other') && !rows.includes('location Annex'));
  });

  it('finds a resource at any depth, on any page, with its parents', async () => {
    const plant = await createLocation('Plant');
    const hall = await createLocation('Hall', plant.id);
    for (let index = 0; index < PAGE_SIZE; index += 1) {
      await stores.machines.create(hall.id, `arm-${index}`);
    }
    const machineId = await stores.machines.create(hall.id, 'z-last');
    const [part] = await stores.parts.list(machineId);
    assert.ok(part);
    const node = await tree.find({
      kind: 'part',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organizationId(fleet.organizationId),
      locationId: hall.id,
      machineId,
      machineName: 'z-last',
      partId: part.id,
      name: part.name,
    });
    assert.ok(node?.kind === 'part');
    await draw();
    const organizationNode = await child(undefined, 'organization');
    await tree.find(node.target);
    const changes: (FleetNode | undefined)[] = [];
    tree.onDidChange((changed) => changes.push(changed));
    await createLocation('Annex');
    // The event must contain exactly the node object that was returned, because VS Code ignores
    // changes to any other object.
    assert.equal(changes[0], organizationNode);
    const path: string[] = [];
    for (let at: FleetNode | undefined = node; at; at = tree.findParent(at)) path.unshift(at.kind);
    assert.deepEqual(path, ['organization', 'location', 'location', 'machine', 'part']);
  });

  it('is empty without a connection and restored with it', async () => {
    const changes = collectChanges();
    sessions.activate(false);
    assert.deepEqual(await tree.listChildren(), []);
    sessions.activate(true);
    assert.deepEqual(changes, [undefined, undefined]);
    assert.equal((await tree.listChildren())[0]?.kind, 'organization');
  });

  it('assigns stable IDs to nodes', async () => {
    const plant = await createLocation('Plant');
    await stores.machines.create(plant.id, 'arm');
    const ids = async () => {
      const organization = await child(undefined, 'organization');
      const location = await child(organization, 'location');
      return [organization.id, location.id, (await child(location, 'machine')).id];
    };
    const before = await ids();
    tree.refreshAll();
    assert.deepEqual(await ids(), before);
    assert.equal(new Set(before).size, before.length);
  });
});

import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import { NO_FILTER } from '../../../../../src/core/stores/organizationListing';
import { type MachineId, organizationId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { type TreeSettings, PLAIN } from '../../../../../src/host/features/fleet/arrangement';
import type { FilterCounts } from '../../../../../src/host/features/fleet/fleetListings';
import { FleetTree } from '../../../../../src/host/features/fleet/fleetTree';
import type { FleetNode } from '../../../../../src/host/features/fleet/nodes/fleetNode';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryMachine } from '../../../../support/memoryMachine';
import { TestSessions } from '../../../../support/testSessions';

const MINUTE_MS = 60_000;
const PAGE_SIZE = 3;

/** Formats a node as a line of a golden tree; undefined for nodes unrelated to machines. */
function line(node: FleetNode): string | undefined {
  switch (node.kind) {
    case 'organization':
    case 'location':
    case 'fragment':
      return `${node.kind} ${node.target.name}`;
    case 'machine': {
      const path = node.locations?.map(({ name }) => name).join(' › ');
      return `machine ${node.target.name} ${node.presence.status}${path ? ` in ${path}` : ''}`;
    }
    case 'machineGroup':
      return `group ${node.key} (${node.count ?? '?'})`;
    case 'loadMore':
      return `load more (${node.shown} of ${node.total})`;
    case 'hint':
      return `hint ${node.hint}`;
    default:
      return undefined;
  }
}

describe('FleetTree with groups and filters', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let tree: FleetTree;
  const ids = new Map<string, MachineId>();

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    tree = new FleetTree(sessions, fleet.clock, PAGE_SIZE);
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const hall = await stores.locations.create(organization, 'Hall', plant.id);
    await stores.locations.create(organization, 'Annex', undefined);
    for (const name of ['arm-2', 'arm-10']) {
      ids.set(name, await stores.machines.create(hall.id, name));
    }
    ids.set('rover', await stores.machines.create(plant.id, 'rover'));
  });

  afterEach(async () => {
    tree.dispose();
    sessions.dispose();
    await fleet.close();
  });

  async function draw(node?: FleetNode, indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const child of await tree.listChildren(node)) {
      const text = line(child);
      if (text === undefined || child.kind === 'machine') {
        if (text !== undefined) lines.push(indent + text);
        if (child.kind !== 'fragments') continue;
      } else {
        lines.push(indent + text);
      }
      lines.push(...(await draw(child, text === undefined ? indent : `${indent}  `)));
    }
    return lines;
  }

  function arrange(arrangement: Partial<TreeSettings>): void {
    tree.arrange({ ...PLAIN, ...arrangement });
  }

  /** Returns the only part of a machine. */
  async function getPart(name: string) {
    const [part] = await stores.parts.list(ids.get(name) ?? assert.fail());
    return part ?? assert.fail();
  }

  async function start(name: string): Promise<void> {
    await (await MemoryMachine.ofPart(fleet, (await getPart(name)).id)).start();
    stores.machines.refresh();
  }

  function createTarget(name: string) {
    return {
      kind: 'machine',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organizationId(fleet.organizationId),
      locationId: stores.machines.peek(ids.get(name) ?? assert.fail())?.locationId ?? assert.fail(),
      machineId: ids.get(name) ?? assert.fail(),
      name,
    } as const;
  }

  it('groups machines by status, with their locations, in one call for each location', async () => {
    await start('rover');
    fleet.clock.advance(2 * MINUTE_MS);
    await start('arm-10');
    arrange({ grouping: 'status' });
    fleet.calls.clear();
    assert.deepEqual(await draw(), [
      'organization My Fleet',
      '  group offline (1)',
      '    machine rover offline in Plant',
      '  group awaitingSetup (1)',
      '    machine arm-2 awaitingSetup in Plant › Hall',
      '  group online (1)',
      '    machine arm-10 online in Plant › Hall',
      '  hint noFragments',
    ]);
    assert.equal(fleet.calls.get('ListRobots'), 3);
    assert.equal(fleet.calls.get('GetRobotParts'), undefined);
  });

  it('marks an empty group, and shows a long one page by page', async () => {
    const { locationId } = await stores.machines.get(ids.get('arm-2') ?? assert.fail());
    await stores.machines.create(locationId, 'arm-11');
    arrange({ grouping: 'status' });
    assert.deepEqual((await draw()).slice(1, -1), [
      '  group offline (0)',
      '    hint noneInGroup',
      '  group awaitingSetup (4)',
      '    machine arm-2 awaitingSetup in Plant › Hall',
      '    machine arm-10 awaitingSetup in Plant › Hall',
      '    machine arm-11 awaitingSetup in Plant › Hall',
      '    load more (3 of 4)',
      '  group online (0)',
      '    hint noneInGroup',
    ]);
    const found = await tree.find(createTarget('rover'));
    assert.equal(found && line(found), 'machine rover awaitingSetup in Plant');
    assert.equal(found && tree.findParent(found)?.kind, 'machineGroup');
  });

  it('moves a machine to another group when its status is reloaded', async () => {
    arrange({ grouping: 'status' });
    await draw();
    const part = await getPart('rover');
    await (await MemoryMachine.ofPart(fleet, part.id)).start();
    const changes: unknown[] = [];
    tree.onDidChange((node) => changes.push(node));
    fleet.calls.clear();
    await tree.pollStatus(() => true);
    assert.deepEqual(changes, [undefined]);
    assert.deepEqual(Object.fromEntries(fleet.calls), { ListRobots: 3 });
    assert.ok((await draw()).includes('    machine rover online in Plant'));
  });

  it('groups machines by fragment, and reads configs when a group is expanded', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id: outer } = await stores.fragments.create(organization, 'outer');
    const { id: inner } = await stores.fragments.create(organization, 'inner');
    const part = await getPart('rover');
    const save = (fragments: readonly string[]) =>
      stores.parts.updateConfig(part.id, {
        name: part.name,
        configText: JSON.stringify({ fragments }),
      });
    await save([outer]);
    const configText = JSON.stringify({ fragments: [inner] });
    await stores.fragments.updateConfig(outer, { name: 'outer', configText });
    arrange({ grouping: 'fragment' });
    fleet.calls.clear();
    const [top] = await tree.listChildren();
    const groups = await tree.listChildren(top);
    assert.deepEqual(groups.slice(0, 3).map(line), [
      `group fragment/${inner} (?)`,
      `group fragment/${outer} (?)`,
      'group fragment/ (?)',
    ]);
    assert.equal(fleet.calls.get('GetRobotParts'), undefined);
    const rover = ['    machine rover awaitingSetup in Plant'];
    // Expands the groups as VS Code does with nodes that were expanded before a reload.
    await Promise.all(groups.map((group) => tree.listChildren(group)));
    assert.deepEqual((await draw()).slice(1, 8), [
      `  group fragment/${inner} (1)`,
      ...rover,
      `  group fragment/${outer} (1)`,
      ...rover,
      '  group fragment/ (2)',
      '    machine arm-2 awaitingSetup in Plant › Hall',
      '    machine arm-10 awaitingSetup in Plant › Hall',
    ]);
    assert.equal(fleet.calls.get('GetRobotParts'), 3);
    await stores.fragments.create(organization, 'unrelated');
    await draw();
    assert.equal((await draw())[1], `  group fragment/${inner} (1)`);
    await save([]);
    await draw();
    assert.equal((await draw())[1], `  group fragment/${inner} (0)`);
    assert.equal(
      fleet.calls.get('GetRobotParts'),
      4,
      'only the machine that changed is read again',
    );
  });

  describe('by fragment, with many machines', () => {
    const MACHINES = 12;
    let outer: string;

    beforeEach(async () => {
      const { locationId } = await stores.machines.get(ids.get('arm-2') ?? assert.fail());
      for (let index = ids.size; index < MACHINES; index += 1) {
        const name = `truck-${index}`;
        ids.set(name, await stores.machines.create(locationId, name));
      }
      const organization = organizationId(fleet.organizationId);
      outer = (await stores.fragments.create(organization, 'outer')).id;
      await save('rover', [outer]);
      arrange({ grouping: 'fragment' });
      fleet.calls.clear();
    });

    afterEach(() => ids.clear());

    async function save(name: string, fragments: readonly string[]): Promise<void> {
      const part = await getPart(name);
      const configText = JSON.stringify({ fragments });
      await stores.parts.updateConfig(part.id, { name: part.name, configText });
    }

    async function drawGroups(): Promise<readonly string[]> {
      return (await draw()).filter((text) => text.startsWith('  group')).map((text) => text.trim());
    }

    /** Opens all groups. Their counts are known only in the tree that is drawn afterward. */
    async function openGroups(): Promise<readonly string[]> {
      await draw();
      return drawGroups();
    }

    it('reads the fragments of all machines with one call', async () => {
      assert.deepEqual(await openGroups(), [`group fragment/${outer} (1)`, 'group fragment/ (11)']);
      assert.equal(fleet.calls.get('ListMachineSummaries'), 1);
      assert.equal(fleet.calls.get('GetRobotParts'), undefined);
      await save('rover', []);
      fleet.calls.clear();
      assert.deepEqual(await openGroups(), [`group fragment/${outer} (0)`, 'group fragment/ (12)']);
      assert.equal(fleet.calls.get('ListMachineSummaries'), undefined);
      assert.equal(fleet.calls.get('GetRobotParts'), 1, 'only the machine that changed');
    });

    it('reads each machine of a service without summaries, which it calls only once', async () => {
      fleet.unsupported.add('ListMachineSummaries');
      assert.deepEqual(await openGroups(), [`group fragment/${outer} (1)`, 'group fragment/ (11)']);
      assert.equal(fleet.calls.get('ListMachineSummaries'), 1);
      assert.equal(fleet.calls.get('GetRobotParts'), MACHINES);
      for (const name of ids.keys()) await save(name, []);
      fleet.calls.clear();
      assert.deepEqual(await openGroups(), [`group fragment/${outer} (0)`, 'group fragment/ (12)']);
      assert.equal(fleet.calls.get('ListMachineSummaries'), undefined);
      assert.equal(fleet.calls.get('GetRobotParts'), MACHINES);
    });
  });

  it('reads a machine without readable fragments once, and names it', async () => {
    const readAll = stores.parts.readAll.bind(stores.parts);
    stores.parts.readAll = (machine, signal) =>
      machine === ids.get('rover')
        ? Promise.reject(new FleetError('unavailable', 'down'))
        : readAll(machine, signal);
    let changes = 0;
    tree.onDidChange(() => (changes += 1));
    arrange({ grouping: 'fragment' });
    await draw();
    assert.deepEqual((await draw()).slice(1, -1), [
      '  group fragment/ (2)',
      '    machine arm-2 awaitingSetup in Plant › Hall',
      '    machine arm-10 awaitingSetup in Plant › Hall',
      '  group unreadable (1)',
      '    machine rover awaitingSetup in Plant',
    ]);
    assert.equal(changes, 2, 'once for the grouping and once for what was read');
  });

  it('shows matches of a filter with their parents, expanded or not', async () => {
    await stores.fragments.create(organizationId(fleet.organizationId), 'arm base');
    const counts: FilterCounts[] = [];
    tree.onDidCount((count) => counts.push(count));
    arrange({ filter: { text: 'ARM 1', statuses: [] } });
    assert.deepEqual(await draw(), [
      'organization My Fleet',
      '  location Plant',
      '    location Hall',
      '      machine arm-10 awaitingSetup',
    ]);
    assert.deepEqual(counts.at(-1), { machines: 1, total: 3, others: 2, failed: 0 });
    arrange({ filter: { text: 'arm', statuses: [] } });
    assert.ok((await draw()).includes('  fragment arm base'));
    arrange({ filter: { text: 'hall', statuses: [] } });
    assert.equal((await draw()).length, 5);
  });

  it('filters by status, also within groups, and reports when nothing matches', async () => {
    await start('rover');
    arrange({ filter: { text: '', statuses: ['online'] } });
    const filtered = ['organization My Fleet', '  location Plant', '    machine rover online'];
    assert.deepEqual(await draw(), filtered);
    arrange({ grouping: 'status', filter: { text: 'rov', statuses: [] } });
    assert.deepEqual((await draw()).slice(1), [
      '  group online (1)',
      '    machine rover online in Plant',
    ]);
    arrange({ filter: { text: 'rover', statuses: ['offline'] } });
    assert.deepEqual(await draw(), ['hint nothingMatches']);
    arrange({ filter: NO_FILTER });
    assert.ok((await draw()).includes('  location Annex'));
  });

  it('stops loading for an outdated filter', async () => {
    arrange({ filter: { text: 'rover', statuses: [] } });
    const reading = tree.listChildren();
    arrange({ filter: NO_FILTER });
    assert.deepEqual(await reading, []);
  });

  it('finds neither filtered resources nor locations while machines are grouped', async () => {
    await draw();
    const { connectionId, organizationId: organization, locationId } = createTarget('rover');
    const location = {
      kind: 'location',
      connectionId,
      organizationId: organization,
      locationId,
      name: 'Plant',
    } as const;
    arrange({ filter: { text: 'arm', statuses: [] } });
    assert.equal(await tree.find(createTarget('rover')), undefined);
    arrange({ grouping: 'status' });
    assert.equal(await tree.find(location), undefined);
  });

  it('redraws what changed over time, without a call', async () => {
    await start('rover');
    fleet.clock.advance(2 * MINUTE_MS);
    stores.machines.refresh();
    await draw();
    const changed: (string | undefined)[] = [];
    tree.onDidChange((node) => changed.push(node && line(node)));
    fleet.calls.clear();
    tree.redrawOutdated(() => true);
    assert.deepEqual(changed, []);
    fleet.clock.advance(MINUTE_MS);
    tree.redrawOutdated(() => true);
    assert.deepEqual(changed, ['location Plant']);
    assert.equal(fleet.calls.size, 0);
  });
});

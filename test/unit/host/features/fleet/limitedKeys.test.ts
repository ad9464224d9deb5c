import assert from 'node:assert/strict';
import { organizationId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { PLAIN } from '../../../../../src/host/features/fleet/arrangement';
import { FleetTree } from '../../../../../src/host/features/fleet/fleetTree';
import type { FleetNode } from '../../../../../src/host/features/fleet/nodes/fleetNode';
import { keyWithRoles } from '../../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

const PAGE_SIZE = 2;

/** Formats resources and the placeholders of empty lists as lines of a golden tree. */
function line(node: FleetNode): string | undefined {
  switch (node.kind) {
    case 'organization':
    case 'location':
    case 'machine':
    case 'part':
    case 'fragment':
      return `${node.target.name} [${node.contextValue}]`;
    case 'fragments':
      return `Fragments [${node.contextValue}]`;
    case 'machineGroup':
      return 'Group';
    case 'hint':
      return `${node.hint}${node.canCreate ? ', create one' : ''}`;
    default:
      return undefined;
  }
}

describe('the fleet tree of a key with limited permissions', () => {
  let fleet: MemoryFleet;
  let owner: TestSessions;
  let stores: FleetStores;
  let limited: TestSessions | undefined;
  let tree: FleetTree | undefined;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    owner = new TestSessions(fleet);
    stores = owner.stores();
  });

  afterEach(async () => {
    tree?.dispose();
    limited?.dispose();
    owner.dispose();
    await fleet.close();
  });

  async function drawWith(...roles: Parameters<typeof keyWithRoles>[1][]): Promise<string[]> {
    limited = new TestSessions(await keyWithRoles(fleet, ...roles));
    tree = new FleetTree(limited, fleet.clock, PAGE_SIZE);
    fleet.calls.clear();
    return draw(tree);
  }

  async function draw(from: FleetTree, node?: FleetNode, indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const child of await from.listChildren(node)) {
      const text = line(child);
      if (text === undefined) continue;
      lines.push(indent + text, ...(await draw(from, child, `${indent}  `)));
    }
    return lines;
  }

  const create = (name: string, parent?: Parameters<typeof stores.locations.create>[2]) =>
    stores.locations.create(organizationId(fleet.organizationId), name, parent);

  it('offers an operator only to control', async () => {
    const plant = await create('Plant');
    await create('Annex');
    await stores.machines.create(plant.id, 'arm');
    const lines = await drawWith(['operator', 'organization', fleet.organizationId]);
    assert.deepEqual(lines, [
      'My Fleet [control;organization;readData]',
      '  Annex [control;location;readData]',
      '    noMachines',
      '  Plant [control;location;readData]',
      '    arm [awaitingSetup;control;machine;readData;readLogs]',
      '      arm-main [awaitingSetup;control;fqdn;main;part;readData;readLogs]',
      '  Fragments [fragments]',
      '    noFragments',
    ]);
  });

  it('offers an owner of one location to change it and its descendants', async () => {
    const plant = await create('Plant');
    const hall = await create('Hall', plant.id);
    await stores.machines.create(hall.id, 'arm');
    await create('Annex');
    const lines = await drawWith(['owner', 'location', plant.id]);
    assert.deepEqual(lines, [
      'My Fleet [organization]',
      '  Plant [administer;control;location;noQueries;readData;readSecrets;writeData]',
      '    Hall [administer;control;location;noQueries;readData;readSecrets;writeData]',
      '      arm [administer;awaitingSetup;control;machine;noQueries;readData;readLogs;readSecrets;writeData]',
      '        arm-main [administer;awaitingSetup;control;fqdn;main;noQueries;part;readData;readLogs;readSecrets;writeData]',
      '  Fragments [fragments]',
      '    noFragments',
    ]);
    assert.equal(fleet.calls.get('CheckPermissions'), 2);
  });

  it('hides queries of a shared location unless the key can read the data of its owner', async () => {
    const plant = await create('Plant');
    await create('Hall', plant.id);
    await stores.machines.create(plant.id, 'arm');
    const partner = await stores.organizations.create('Partner');
    await stores.locations.share(plant, partner.id);
    limited = new TestSessions(
      await keyWithRoles({ ...fleet, organizationId: partner.id }, [
        'operator',
        'organization',
        partner.id,
      ]),
    );
    const resources = /^ *(?:Plant|Hall|arm)/;
    tree = new FleetTree(limited, fleet.clock, PAGE_SIZE);
    const lines = (await draw(tree)).filter((text) => resources.test(text));
    assert.equal(lines.length, 4, lines.join('\n'));
    for (const text of lines) assert.match(text, /noQueries.*readData/);
    tree.dispose();

    tree = new FleetTree(owner, fleet.clock, PAGE_SIZE);
    const shared = (await draw(tree)).filter((text) => resources.test(text));
    assert.equal(shared.length, 8, shared.join('\n'));
    for (const text of shared) assert.doesNotMatch(text, /noQueries/);
  });

  it('hides queries of shared machines in groups unless the key can read the data of their owner', async () => {
    const plant = await create('Plant');
    await stores.machines.create(plant.id, 'arm');
    const partner = await stores.organizations.create('Partner');
    await stores.locations.share(plant, partner.id);
    const roles = ['operator', 'organization', partner.id] as const;
    const key = await keyWithRoles({ ...fleet, organizationId: partner.id }, roles);
    limited = new TestSessions(key);
    tree = new FleetTree(limited, fleet.clock, PAGE_SIZE);
    tree.arrange({ ...PLAIN, grouping: 'status' });
    const lines = (await draw(tree)).filter((text) => /^ *arm/.test(text));
    assert.equal(lines.length, 2, lines.join('\n'));
    for (const text of lines) assert.match(text, /noQueries.*readData/);
  });

  it('requests the permissions of a page of machines in one call', async () => {
    const plant = await create('Plant');
    for (const name of ['arm-1', 'arm-2', 'arm-3']) await stores.machines.create(plant.id, name);
    const [first] = await stores.machines.list(plant.id);
    assert.ok(first);
    const lines = await drawWith(
      ['operator', 'organization', fleet.organizationId],
      ['owner', 'robot', first.id],
    );
    assert.deepEqual(lines.slice(1, 5), [
      '  Plant [control;location;readData]',
      '    arm-1 [administer;awaitingSetup;control;machine;readData;readLogs;readSecrets;writeData]',
      '      arm-1-main [administer;awaitingSetup;control;fqdn;main;part;readData;readLogs;readSecrets;writeData]',
      '    arm-2 [awaitingSetup;control;machine;readData;readLogs]',
    ]);
    assert.equal(fleet.calls.get('CheckPermissions'), 3);
  });
});

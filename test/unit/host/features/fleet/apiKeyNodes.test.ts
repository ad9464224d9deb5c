import assert from 'node:assert/strict';
import type { Role } from '../../../../../src/core/model/access';
import { apiKeyId, organizationId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { FleetTree } from '../../../../../src/host/features/fleet/fleetTree';
import type { ApiKeyNode } from '../../../../../src/host/features/fleet/nodes/accessNodes';
import type { FleetNode } from '../../../../../src/host/features/fleet/nodes/fleetNode';
import { keyWithRoles } from '../../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

const PAGE_SIZE = 3;

/** Formats a node below an organization's API keys as a line of a golden tree. */
function line(node: FleetNode): string {
  switch (node.kind) {
    case 'apiKey':
      return `${node.target.name} [${node.contextValue}]`;
    case 'role':
      return `${node.role.name} of ${node.role.resourceType} ${node.target.name}`;
    case 'hint':
      return `hint ${node.hint}${node.canCreate ? ', with a command' : ''}`;
    case 'loadMore':
      return `load more (${node.shown} of ${node.total})`;
    default:
      return node.kind;
  }
}

describe('the API keys in the fleet tree', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let tree: FleetTree;
  let plantId: string;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    tree = new FleetTree(sessions, fleet.clock, PAGE_SIZE);
    plantId = (await stores.locations.create(organization(), 'Plant', undefined)).id;
  });

  afterEach(async () => {
    tree.dispose();
    sessions.dispose();
    await fleet.close();
  });

  const organization = () => organizationId(fleet.organizationId);
  const operator = (): Role => ({
    name: 'operator',
    resourceType: 'location',
    resourceId: plantId,
  });
  const create = (name: string) =>
    stores.apiKeys.create(organization(), { name, roles: [operator()] });

  async function keysNode(from = tree): Promise<FleetNode> {
    const [top] = await from.listChildren();
    const found = (await from.listChildren(top)).find(({ kind }) => kind === 'apiKeys');
    assert.ok(found);
    return found;
  }

  async function draw(node: FleetNode, from = tree, indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const child of await from.listChildren(node)) {
      lines.push(indent + line(child), ...(await draw(child, from, `${indent}  `)));
    }
    return lines;
  }

  it('are sorted by name with their roles, and mark the one in use', async () => {
    await create('ci');
    assert.deepEqual(await draw(await keysNode()), [
      'ci [administer;apiKey;control;readData;readSecrets;writeData]',
      '  operator of location Plant',
      'Local owner [administer;apiKey;control;inUse;readData;readSecrets;writeData]',
      '  owner of organization My Fleet',
    ]);
  });

  it('contain no secret', async () => {
    const { secret } = await create('ci');
    const nodes = await tree.listChildren(await keysNode());
    const keys = nodes.filter((node): node is ApiKeyNode => node.kind === 'apiKey');
    assert.equal(keys.length, 2);
    for (const node of keys) {
      const serialized = JSON.stringify([node.apiKey, node.target, node.id, node.contextValue]);
      assert.ok(!serialized.includes(secret));
    }
  });

  it('are reloaded when one is created or deleted, and when roles change', async () => {
    await draw(await keysNode());
    const changes: string[] = [];
    tree.onDidChange((node) => changes.push(node ? line(node) : 'all'));
    const { id } = await create('ci');
    assert.ok(changes.includes('apiKeys') || changes.includes('all'));
    await draw(await keysNode());
    const identity = { type: 'apiKey', id: apiKeyId(id) } as const;
    await stores.roles.add(organization(), identity, { ...operator(), name: 'owner' });
    assert.deepEqual((await draw(await keysNode())).slice(0, 3), [
      'ci [administer;apiKey;control;readData;readSecrets;writeData]',
      '  owner of location Plant',
      '  operator of location Plant',
    ]);
  });

  it('are paged, and found on any page with their roles', async () => {
    await Promise.all(['a1', 'a2', 'a3'].map(create));
    assert.equal((await draw(await keysNode())).at(-1), 'load more (3 of 4)');
    const where = { connectionId: sessions.connectionToFleet.id, organizationId: organization() };
    const target = { ...where, keyId: apiKeyId(fleet.key.id), name: 'Local owner' };
    const found = await tree.find({ kind: 'apiKey', ...target });
    assert.equal(
      found && line(found),
      'Local owner [administer;apiKey;control;inUse;readData;readSecrets;writeData]',
    );
  });

  it('are a hint without a call for a key that cannot list them', async () => {
    const limited = new TestSessions(
      await keyWithRoles(fleet, ['operator', 'organization', fleet.organizationId]),
    );
    const seen = new FleetTree(limited, fleet.clock, PAGE_SIZE);
    fleet.calls.clear();
    assert.deepEqual(await draw(await keysNode(seen), seen), [
      'hint apiKeysHidden, with a command',
    ]);
    assert.equal(fleet.calls.get('ListKeys'), undefined);
    seen.dispose();
    limited.dispose();
  });
});

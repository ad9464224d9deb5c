import assert from 'node:assert/strict';
import type { Role } from '../../../../../src/core/model/access';
import { locationId, organizationId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { FleetTree } from '../../../../../src/host/features/fleet/fleetTree';
import type { FleetNode } from '../../../../../src/host/features/fleet/nodes/fleetNode';
import { keyWithRoles } from '../../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

const PAGE_SIZE = 3;
const RIGHTS = 'administer;control';

/** Formats a node below an organization's members as a line of a golden tree. */
function line(node: FleetNode): string {
  switch (node.kind) {
    case 'member':
    case 'invite':
      return `${node.target.name} [${node.contextValue}]`;
    case 'role':
      return `${node.role.name} of ${node.role.resourceType} ${node.target.name} [${node.contextValue}]`;
    case 'hint':
      return `hint ${node.hint}${node.canCreate ? ', with a command' : ''}`;
    case 'loadMore':
      return `load more (${node.shown} of ${node.total})`;
    default:
      return node.kind;
  }
}

describe('the members in the fleet tree', () => {
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
  const invite = (email: string, ...roles: Role[]) =>
    stores.members.invite(organization(), { email, roles, sendEmail: false });

  async function membersNode(from = tree): Promise<FleetNode> {
    const [top] = await from.listChildren();
    const found = (await from.listChildren(top)).find(({ kind }) => kind === 'members');
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

  it('are listed with their roles, and invitations after them', async () => {
    const user = await stores.members.userIdByEmail('owner@localhost');
    await stores.roles.add(organization(), { type: 'user', id: user }, operator());
    await invite('ada@example.com', operator());
    assert.deepEqual(await draw(await membersNode()), [
      `owner@localhost [${RIGHTS};member;readData;readSecrets;writeData]`,
      `  owner of organization My Fleet [${RIGHTS};ofMember;readData;readSecrets;role;writeData]`,
      `  operator of location Plant [${RIGHTS};ofMember;readData;readSecrets;role;writeData]`,
      `ada@example.com [administer;control;invite;readData;readSecrets;writeData]`,
      `  operator of location Plant [${RIGHTS};ofInvite;readData;readSecrets;role;writeData]`,
    ]);
  });

  it('show the new name of a machine for which they have a role', async () => {
    const machine = await stores.machines.create(locationId(plantId), 'arm-1');
    const role: Role = { name: 'operator', resourceType: 'robot', resourceId: machine };
    await invite('ada@example.com', role);
    const draws = async (name: string): Promise<boolean> =>
      (await draw(await membersNode())).some((text) => text.includes(`of robot ${name} `));
    assert.ok(await draws('arm-1'));
    const changed: (FleetNode | undefined)[] = [];
    tree.onDidChange((node) => changed.push(node));
    await stores.machines.rename({ id: machine, locationId: locationId(plantId) }, 'arm-2');
    assert.ok(changed.some((node) => node?.kind === 'invite'));
    assert.ok(await draws('arm-2'));
  });

  it('need two calls for any number of members', async () => {
    for (const name of ['ada', 'bea']) await invite(`${name}@example.com`, operator());
    const node = await membersNode();
    fleet.calls.clear();
    await tree.listChildren(node);
    assert.deepEqual(Object.fromEntries(fleet.calls), {
      ListOrganizationMembers: 1,
      ListAuthorizations: 1,
    });
  });

  it('are paged, and found on any page', async () => {
    for (const name of ['ada', 'bea', 'cleo']) await invite(`${name}@example.com`, operator());
    const lines = await draw(await membersNode());
    assert.equal(lines.at(-1), 'load more (3 of 4)');
    const email = 'cleo@example.com';
    const connectionId = sessions.connectionToFleet.id;
    const where = { connectionId, organizationId: organization() };
    const found = await tree.find({ kind: 'invite', ...where, email, name: email });
    assert.equal(found?.kind, 'invite');
    assert.equal((await tree.listChildren(await membersNode())).length, 4);
  });

  it('are reloaded after an invitation', async () => {
    await draw(await membersNode());
    const changes: string[] = [];
    tree.onDidChange((node) => changes.push(node ? line(node) : 'all'));
    await invite('ada@example.com', operator());
    assert.deepEqual(changes, ['members']);
  });

  it('offer to add a role to a member who has none', async () => {
    const user = await stores.members.userIdByEmail('owner@localhost');
    await stores.roles.remove(
      organization(),
      { type: 'user', id: user },
      {
        name: 'owner',
        resourceType: 'organization',
        resourceId: fleet.organizationId,
      },
    );
    assert.deepEqual(await draw(await membersNode()), [
      `owner@localhost [${RIGHTS};member;readData;readSecrets;writeData]`,
      '  hint noRoles, with a command',
    ]);
  });

  it('are a hint for a key without a role on the organization, not an error', async () => {
    const limited = new TestSessions(await keyWithRoles(fleet, ['operator', 'location', plantId]));
    const seen = new FleetTree(limited, fleet.clock, PAGE_SIZE);
    assert.deepEqual(await draw(await membersNode(seen), seen), [
      'hint membersHidden, with a command',
    ]);
    seen.dispose();
    limited.dispose();
  });
});

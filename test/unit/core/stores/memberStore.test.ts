import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import type { Role } from '../../../../src/core/model/access';
import { organizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { roleEditor } from '../../../../src/core/stores/roleEditor';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const email = 'ada@example.com';

describe('MemberStore', () => {
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
  const owner = (): Role => ({
    name: 'owner',
    resourceType: 'organization',
    resourceId: fleet.organizationId,
  });
  const createOperatorRole = (locationId: string): Role => ({
    name: 'operator',
    resourceType: 'location',
    resourceId: locationId,
  });
  const ofKind = (kind: string) => (error: unknown) =>
    error instanceof FleetError && error.kind === kind;
  const invited = async () => (await stores.members.list(organization())).invites;
  const invite = (...roles: Role[]) =>
    stores.members.invite(organization(), { email, roles, sendEmail: true });

  it('lists members and invitations in one call, and again after a change', async () => {
    const [member] = (await stores.members.list(organization())).members;
    assert.equal(member?.email, 'owner@localhost');
    await stores.members.list(organization());
    assert.equal(fleet.calls.get('ListOrganizationMembers'), 1);
    const changedParents: string[] = [];
    stores.members.onDidChange(({ parents }) => changedParents.push(...parents));
    await invite(owner());
    assert.deepEqual(changedParents, [fleet.organizationId]);
    const [pending] = await invited();
    assert.deepEqual(pending, {
      organizationId: fleet.organizationId,
      email,
      createdOn: fleet.clock.now(),
      roles: [owner()],
    });
  });

  it('reports why an invitation cannot be created', async () => {
    await invite(owner());
    await assert.rejects(invite(owner()), ofKind('invalid'));
    const mine = { email: 'owner@localhost', roles: [owner()], sendEmail: true };
    await assert.rejects(stores.members.invite(organization(), mine), FleetError);
    await assert.rejects(
      stores.members.resend(organization(), 'x@example.com'),
      ofKind('notFound'),
    );
  });

  it('sends an invitation again and cancels it', async () => {
    await invite(owner());
    assert.equal((await stores.members.resend(organization(), email)).email, email);
    await stores.members.cancelInvitation(organization(), email);
    assert.deepEqual(await invited(), []);
  });

  it('adds and removes roles of an invitation, and never its last one', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    await invite(owner());
    const changed = await stores.members.changeInvite(organization(), email, {
      add: [createOperatorRole(plant.id)],
      remove: [],
    });
    assert.equal(changed.roles.length, 2);
    const holder = { type: 'invite', id: email, name: email } as const;
    const editor = roleEditor(stores, organization(), holder);
    await editor.remove(owner());
    assert.deepEqual((await invited())[0]?.roles, [createOperatorRole(plant.id)]);
    await assert.rejects(editor.remove(createOperatorRole(plant.id)), FleetError);
  });

  it('changes the only role of an invitation to another one', async () => {
    const plant = await stores.locations.create(organization(), 'Plant', undefined);
    await invite(createOperatorRole(plant.id));
    const holder = { type: 'invite', id: email, name: email } as const;
    const next: Role = { ...createOperatorRole(plant.id), name: 'owner' };
    await roleEditor(stores, organization(), holder).change(createOperatorRole(plant.id), next);
    assert.deepEqual((await invited())[0]?.roles, [next]);
  });

  it('removes a member with all roles', async () => {
    const [member] = (await stores.members.list(organization())).members;
    assert.ok(member);
    assert.equal((await stores.roles.list(organization())).length, 2);
    await stores.members.remove(member);
    assert.deepEqual((await stores.members.list(organization())).members, []);
    assert.deepEqual(
      (await stores.roles.list(organization())).map(({ identity }) => identity.type),
      ['apiKey'],
    );
  });

  it('finds a member by address, with the organizations', async () => {
    const user = await stores.members.userIdByEmail('owner@localhost');
    const organizations = await stores.members.listUserOrganizations(user);
    assert.deepEqual(
      organizations.map(({ name }) => name),
      ['My Fleet'],
    );
    await assert.rejects(stores.members.userIdByEmail('x@example.com'), ofKind('notFound'));
    await assert.rejects(stores.members.userIdByEmail('not an address'), ofKind('invalid'));
  });
});

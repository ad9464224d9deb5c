import { deleteInvite, type Invite, type InvitedRole, listInvites } from '../store/invites';
import { listOrganizations } from '../store/organizations';
import type { StoreAccess } from '../store/store';
import { insertMember, listMemberships, listUserRoles, markLogin } from '../store/users';
import { oneLine } from '../mail/mailer';
import { queryByIds } from '../store/identifiers';
import type { ResourceType } from '../store/schema';
import { insertAuthorization } from '../store/authorizations';
import type { Micros } from '../store/micros';

/** Organization with a description of the user's roles. */
export interface Membership {
  organizationName: string;
  roles: readonly string[];
}

/** Memberships and invitations that belong to an email address. */
export interface Account {
  email: string;
  memberships: readonly Membership[];
  /**
   * Names of the organizations whose invitations can be accepted only with the link in their email.
   */
  invitedTo: readonly string[];
}

/**
 * Reads the account for an email address. The address doesn't have to belong to an existing user.
 */
export async function describeAccount(
  access: StoreAccess,
  email: string,
  userId: string | undefined,
): Promise<Account> {
  const organizations = userId === undefined ? [] : await listMemberships(access, userId);
  const roles = userId === undefined ? [] : await listUserRoles(access, userId);
  const memberships: Membership[] = [];
  for (const { id, name } of organizations) {
    const assigned = roles.filter((role) => role.organization_id === id);
    memberships.push({ organizationName: name, roles: await describeRoles(access, assigned) });
  }
  const invites = await listInvites(access, { email });
  const inviting = await listOrganizations(
    access,
    invites.map((invite) => invite.organization_id),
  );
  return { email, memberships, invitedTo: inviting.map(({ name }) => name) };
}

const KIND_WORDS: Record<ResourceType, string> = {
  organization: 'organization',
  location: 'location',
  robot: 'machine',
};
const TABLES = { organization: 'organizations', location: 'locations', robot: 'machines' } as const;

/**
 * Returns sentences about roles, such as `As an operator, you can view and control the machine
 * "arm".`, in the given order.
 */
export async function describeRoles(
  access: StoreAccess,
  roles: readonly InvitedRole[],
): Promise<string[]> {
  const names = new Map<string, string>();
  for (const type of ['organization', 'location', 'robot'] as const) {
    const ids = roles.filter((role) => role.resource_type === type).map((role) => role.resource_id);
    const rows = await queryByIds(ids, (batch) =>
      access.selectFrom(TABLES[type]).select(['id', 'name']).where('id', 'in', batch).execute(),
    );
    rows.forEach((row) => names.set(`${type} ${row.id}`, row.name));
  }
  return roles.map(({ role, resource_type: type, resource_id: id }) => {
    const name = names.get(`${type} ${id}`) ?? id;
    const resource = `the ${KIND_WORDS[type]} "${oneLine(name)}"`;
    return role === 'owner'
      ? `As an owner, you can change ${resource} and everything in it.`
      : `As an operator, you can view and control ${resource}.`;
  });
}

/**
 * Converts a pending invitation to a membership with the promised roles. Must run in a transaction
 * that has locked the organization's row.
 * @returns the ID of the user.
 */
export async function joinByInvite(
  access: StoreAccess,
  invite: Invite,
  now: Micros,
): Promise<string> {
  const { organization_id, email } = invite;
  const userId = await insertMember(access, {
    organizationId: organization_id,
    email,
    addedAt: now,
  });
  for (const role of invite.roles) {
    await insertAuthorization(access, {
      ...role,
      organization_id,
      identity_type: 'user',
      identity_id: userId,
    });
  }
  await deleteInvite(access, invite);
  await markLogin(access, userId, now);
  return userId;
}

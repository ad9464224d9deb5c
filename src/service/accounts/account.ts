import { listInvites } from '../store/invites';
import { listOrganizations } from '../store/organizations';
import type { StoreAccess } from '../store/store';
import { listMemberships, listUserRoles } from '../store/users';
import { describeRoles } from './describeRoles';

/** Organization with a description of the user's roles. */
export interface Membership {
  organizationName: string;
  roles: readonly string[];
}

/** Memberships and invitations of an email address. */
export interface Account {
  email: string;
  memberships: readonly Membership[];
  /**
   * Names of the organizations with invitations that can be accepted only with the link in their
   * email.
   */
  invitedTo: readonly string[];
}

/**
 * Reads the account of an email address. The address doesn't have to belong to an existing user.
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

import { listInvites } from '../store/invites';
import { listOrganizations } from '../store/organizations';
import type { StoreAccess } from '../store/store';
import { listMemberships, listRolesOfUser } from '../store/users';
import { roleWords } from './roleWords';

/** An organization with what somebody may do there, in words. */
export interface Membership {
  organizationName: string;
  roles: readonly string[];
}

/** What belongs to an address. */
export interface Account {
  email: string;
  memberships: readonly Membership[];
  /** Names of the organizations whose invites wait for the link in their message. */
  invitedTo: readonly string[];
}

/** Reads what belongs to an address, of which there may be no user yet. */
export async function describeAccount(
  access: StoreAccess,
  email: string,
  userId: string | undefined,
): Promise<Account> {
  const organizations = userId === undefined ? [] : await listMemberships(access, userId);
  const roles = userId === undefined ? [] : await listRolesOfUser(access, userId);
  const memberships: Membership[] = [];
  for (const { id, name } of organizations) {
    const held = roles.filter((role) => role.organization_id === id);
    memberships.push({ organizationName: name, roles: await roleWords(access, held) });
  }
  const invites = await listInvites(access, { email });
  const inviting = await listOrganizations(
    access,
    invites.map((invite) => invite.organization_id),
  );
  return { email, memberships, invitedTo: inviting.map(({ name }) => name) };
}

import { newId } from './identifiers';
import type { Micros } from './micros';
import type { AuthorizationRow, OrganizationRow, UserRow } from './schema';
import type { StoreAccess } from './store';

/** Makes the user with the given address a member. Creates the user if no user has the address. */
export async function insertMember(
  access: StoreAccess,
  member: { organizationId: string; email: string; addedAt: Micros },
): Promise<string> {
  const email = member.email.toLowerCase();
  await access
    .insertInto('users')
    .values({ id: newId(), email, created_at: member.addedAt, last_login: null })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const user = await access
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  await access
    .insertInto('organization_members')
    .values({ organization_id: member.organizationId, user_id: user.id, added_at: member.addedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return user.id;
}

/** Member of an organization, with the time when the member joined. */
export type MemberRow = UserRow & { added_at: Micros };

/** Returns an organization's members in the order in which they joined. */
export async function listMembers(
  access: StoreAccess,
  organizationId: string,
): Promise<MemberRow[]> {
  return access
    .selectFrom('organization_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('u')
    .select('m.added_at')
    .where('m.organization_id', '=', organizationId)
    .orderBy('m.added_at')
    .orderBy('u.id')
    .execute();
}

/** Returns the user with the given address if the user is a member of one of the organizations. */
export async function findUserByEmail(
  access: StoreAccess,
  email: string,
  organizationIds: readonly string[],
): Promise<UserRow | undefined> {
  return organizationIds.length === 0
    ? undefined
    : access
        .selectFrom('users as u')
        .innerJoin('organization_members as m', 'm.user_id', 'u.id')
        .selectAll('u')
        .where('u.email', '=', email.toLowerCase())
        .where('m.organization_id', 'in', organizationIds)
        .executeTakeFirst();
}

/** Returns the given organizations that a user is a member of, oldest first. */
export async function listUserOrganizations(
  access: StoreAccess,
  userId: string,
  organizationIds: readonly string[],
): Promise<OrganizationRow[]> {
  return organizationIds.length === 0
    ? []
    : access
        .selectFrom('organizations as o')
        .innerJoin('organization_members as m', 'm.organization_id', 'o.id')
        .selectAll('o')
        .where('m.user_id', '=', userId)
        .where('o.id', 'in', organizationIds)
        .orderBy('o.created_at')
        .orderBy('o.id')
        .execute();
}

/** Returns the user with the given address, regardless of memberships. */
export async function findUserByAddress(
  access: StoreAccess,
  email: string,
): Promise<UserRow | undefined> {
  return access
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Returns all organizations that a user is a member of, oldest first. */
export async function listMemberships(
  access: StoreAccess,
  userId: string,
): Promise<OrganizationRow[]> {
  return access
    .selectFrom('organizations as o')
    .innerJoin('organization_members as m', 'm.organization_id', 'o.id')
    .selectAll('o')
    .where('m.user_id', '=', userId)
    .orderBy('o.created_at')
    .orderBy('o.id')
    .execute();
}

/** Returns a user's roles in all organizations. */
export async function listUserRoles(
  access: StoreAccess,
  userId: string,
): Promise<AuthorizationRow[]> {
  return access
    .selectFrom('authorizations')
    .select([
      'organization_id',
      'identity_type',
      'identity_id',
      'role',
      'resource_type',
      'resource_id',
    ])
    .where('identity_id', '=', userId)
    .where('identity_type', '=', 'user')
    .orderBy('organization_id')
    .orderBy('resource_type')
    .orderBy('resource_id')
    .orderBy('role')
    .execute();
}

/** Records that a user has just proved that they have access to the mailbox for their address. */
export async function markLogin(access: StoreAccess, userId: string, now: Micros): Promise<void> {
  await access.updateTable('users').set({ last_login: now }).where('id', '=', userId).execute();
}

/** Records that a user has created a key, so that the key is deleted with the user's membership. */
export async function assignApiKey(
  access: StoreAccess,
  userId: string,
  apiKeyId: string,
): Promise<void> {
  await access
    .insertInto('user_api_keys')
    .values({ api_key_id: apiKeyId, user_id: userId })
    .execute();
}

/** Returns the keys that a user has created and that have the same role as the user. */
export async function listUserKeysWith(
  access: StoreAccess,
  role: Pick<AuthorizationRow, 'identity_id' | 'role' | 'resource_type' | 'resource_id'>,
): Promise<string[]> {
  const rows = await access
    .selectFrom('user_api_keys as k')
    .innerJoin('authorizations as a', 'a.identity_id', 'k.api_key_id')
    .select('k.api_key_id')
    .where('k.user_id', '=', role.identity_id)
    .where('a.role', '=', role.role)
    .where('a.resource_type', '=', role.resource_type)
    .where('a.resource_id', '=', role.resource_id)
    .execute();
  return rows.map((row) => row.api_key_id);
}

/**
 * Removes a user from an organization. Also deletes all roles in the organization that the user and
 * the user's keys have. Must run in a transaction that then deletes the keys without roles. Returns
 * false if the user wasn't a member.
 */
export async function deleteMember(
  access: StoreAccess,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const { numDeletedRows } = await access
    .deleteFrom('organization_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await access
    .deleteFrom('authorizations')
    .where('organization_id', '=', organizationId)
    .where((eb) =>
      eb.or([
        eb('identity_id', '=', userId),
        eb(
          'identity_id',
          'in',
          eb.selectFrom('user_api_keys').select('api_key_id').where('user_id', '=', userId),
        ),
      ]),
    )
    .execute();
  return true;
}

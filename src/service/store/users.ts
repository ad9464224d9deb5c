import { newId } from './identifiers';
import type { Micros } from './micros';
import type { OrganizationRow, UserRow } from './schema';
import type { StoreAccess } from './store';

/** Makes the user with this address a member, creating the user when there is none yet. */
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

/** A member of an organization with the time at which he or she joined. */
export type MemberRow = UserRow & { added_at: Micros };

/** Members of an organization in the order in which they joined. */
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

/** A user by address, if he or she belongs to one of the organizations. */
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

/** The organizations of a user among the given ones, the oldest first. */
export async function listOrganizationsOfUser(
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

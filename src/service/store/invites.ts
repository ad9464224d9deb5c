import type { Micros } from './micros';
import type { AuthorizationRow, Flag, OrganizationInviteRow } from './schema';
import type { StoreAccess } from './store';

/** Role on a resource that an invitation grants when it is accepted. */
export type InvitedRole = Pick<AuthorizationRow, 'role' | 'resource_type' | 'resource_id'>;

/** Pending invitation with the roles that it grants. */
export type Invite = OrganizationInviteRow & { roles: InvitedRole[] };

/** Key for an invitation. There is at most one invitation per address in each organization. */
export type InviteKey = Pick<OrganizationInviteRow, 'organization_id' | 'email'>;

/** Adds a pending invitation with its roles. */
export async function insertInvite(
  access: StoreAccess,
  invite: InviteKey & { createdAt: Micros; appliesAtLogin: boolean },
  roles: readonly InvitedRole[],
): Promise<void> {
  const { organization_id, email } = invite;
  await access
    .insertInto('organization_invites')
    .values({
      organization_id,
      email,
      created_at: invite.createdAt,
      applies_at_login: toFlag(invite.appliesAtLogin),
    })
    .execute();
  await insertInvitedRoles(access, { organization_id, email }, roles);
}

/** Adds roles to an invitation. Existing roles aren't affected. */
export async function insertInvitedRoles(
  access: StoreAccess,
  { organization_id, email }: InviteKey,
  roles: readonly InvitedRole[],
): Promise<void> {
  for (const { role, resource_type, resource_id } of roles) {
    await access
      .insertInto('invite_authorizations')
      .values({
        organization_id,
        email,
        role,
        resource_type,
        resource_id,
        location_id: resource_type === 'location' ? resource_id : null,
        machine_id: resource_type === 'robot' ? resource_id : null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Removes roles from an invitation. */
export async function deleteInvitedRoles(
  access: StoreAccess,
  key: InviteKey,
  roles: readonly InvitedRole[],
): Promise<void> {
  for (const role of roles) {
    await access
      .deleteFrom('invite_authorizations')
      .where('organization_id', '=', key.organization_id)
      .where('email', '=', key.email)
      .where('role', '=', role.role)
      .where('resource_type', '=', role.resource_type)
      .where('resource_id', '=', role.resource_id)
      .execute();
  }
}

/**
 * Sets whether the invitation is accepted automatically when a user next signs in with its address.
 */
export async function setAppliesAtLogin(
  access: StoreAccess,
  key: InviteKey,
  applies: boolean,
): Promise<void> {
  await access
    .updateTable('organization_invites')
    .set({ applies_at_login: toFlag(applies) })
    .where('organization_id', '=', key.organization_id)
    .where('email', '=', key.email)
    .execute();
}

/** Returns the pending invitation to an organization for an address; undefined if there is none. */
export async function findInvite(
  access: StoreAccess,
  { organization_id, email }: InviteKey,
): Promise<Invite | undefined> {
  const [invite] = await listInvites(access, { organization_id, email });
  return invite;
}

/** Returns the pending invitations, filtered by organization, address, or both, oldest first. */
export async function listInvites(
  access: StoreAccess,
  { organization_id, email }: Partial<InviteKey>,
): Promise<Invite[]> {
  const rows = await access
    .selectFrom('organization_invites as i')
    .innerJoin('invite_authorizations as a', (join) =>
      join.onRef('a.organization_id', '=', 'i.organization_id').onRef('a.email', '=', 'i.email'),
    )
    .selectAll('i')
    .select(['a.role', 'a.resource_type', 'a.resource_id'])
    .$if(organization_id !== undefined, (query) =>
      query.where('i.organization_id', '=', organization_id ?? ''),
    )
    .$if(email !== undefined, (query) => query.where('i.email', '=', email ?? ''))
    .orderBy('i.created_at')
    .orderBy('i.organization_id')
    .orderBy('i.email')
    .orderBy('a.resource_type')
    .orderBy('a.resource_id')
    .orderBy('a.role')
    .execute();
  const byInvite = Map.groupBy(rows, (row) => JSON.stringify([row.organization_id, row.email]));
  return [...byInvite.values()].flatMap((roles) =>
    roles.slice(0, 1).map((invite) => ({
      organization_id: invite.organization_id,
      email: invite.email,
      created_at: invite.created_at,
      applies_at_login: invite.applies_at_login,
      roles: roles.map(({ role, resource_type, resource_id }) => ({
        role,
        resource_type,
        resource_id,
      })),
    })),
  );
}

/**
 * Deletes an invitation, which immediately invalidates its links. Returns false if the invitation
 * didn't exist.
 */
export async function deleteInvite(access: StoreAccess, key: InviteKey): Promise<boolean> {
  await access
    .deleteFrom('link_tokens')
    .where('purpose', '=', 'invite')
    .where('organization_id', '=', key.organization_id)
    .where('email', '=', key.email)
    .where('used_at', 'is', null)
    .execute();
  const { numDeletedRows } = await access
    .deleteFrom('organization_invites')
    .where('organization_id', '=', key.organization_id)
    .where('email', '=', key.email)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Deletes invitations without roles. Must be called in every transaction that deletes locations or
 * machines, because their deletion also deletes the roles on them that invitations grant.
 */
export async function deleteInvitesWithoutRoles(access: StoreAccess): Promise<void> {
  const empty = await access
    .selectFrom('organization_invites as i')
    .select(['i.organization_id', 'i.email'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('invite_authorizations as a')
            .select('a.email')
            .whereRef('a.organization_id', '=', 'i.organization_id')
            .whereRef('a.email', '=', 'i.email'),
        ),
      ),
    )
    .execute();
  for (const key of empty) {
    await deleteInvite(access, key);
  }
}

function toFlag(yes: boolean): Flag {
  return yes ? 1 : 0;
}

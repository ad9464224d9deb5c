import { queryByIds } from './identifiers';
import type { AuthorizationRow, IdentityType } from './schema';
import type { StoreAccess } from './store';

/** Grants a role. Has no effect if the role is already granted. */
export async function insertAuthorization(
  access: StoreAccess,
  authorization: AuthorizationRow,
): Promise<void> {
  await access
    .insertInto('authorizations')
    .values({
      ...authorization,
      location_id: authorization.resource_type === 'location' ? authorization.resource_id : null,
      machine_id: authorization.resource_type === 'robot' ? authorization.resource_id : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Revokes a role. Returns false if the identity didn't have the role. */
export async function deleteAuthorization(
  access: StoreAccess,
  row: Pick<AuthorizationRow, 'identity_id' | 'role' | 'resource_type' | 'resource_id'>,
): Promise<boolean> {
  const { numDeletedRows } = await access
    .deleteFrom('authorizations')
    .where('identity_id', '=', row.identity_id)
    .where('role', '=', row.role)
    .where('resource_type', '=', row.resource_type)
    .where('resource_id', '=', row.resource_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the roles in an organization, including those on resources in it. */
export async function listAuthorizations(
  access: StoreAccess,
  organizationId: string,
): Promise<AuthorizationRow[]> {
  return access
    .selectFrom('authorizations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('resource_type')
    .orderBy('resource_id')
    .orderBy('identity_id')
    .orderBy('role')
    .execute();
}

/** Returns the given resources that are the organization itself or belong to it. */
export async function resourceIdsInside(
  access: StoreAccess,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queryByIds(ids, (batch) =>
    access
      .selectFrom('locations')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', batch)
      .union(
        access
          .selectFrom('machines as m')
          .innerJoin('locations as l', 'l.id', 'm.location_id')
          .select('m.id')
          .where('l.organization_id', '=', organizationId)
          .where('m.id', 'in', batch),
      )
      .execute(),
  );
  return new Set([...ids.filter((id) => id === organizationId), ...rows.map(({ id }) => id)]);
}

/** Returns true if the organization still has an owner. */
export async function hasOwner(access: StoreAccess, organizationId: string): Promise<boolean> {
  const owner = await access
    .selectFrom('authorizations')
    .select('identity_id')
    .where('resource_type', '=', 'organization')
    .where('resource_id', '=', organizationId)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}

/**
 * Returns the kind of identity that has a given ID: a member of an organization, or an API key with
 * a role in it. Returns undefined for any other ID.
 */
export async function identityTypeIn(
  access: StoreAccess,
  organizationId: string,
  identityId: string,
): Promise<IdentityType | undefined> {
  const member = await access
    .selectFrom('organization_members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', identityId)
    .executeTakeFirst();
  if (member !== undefined) return 'user';
  const key = await access
    .selectFrom('authorizations')
    .select('identity_id')
    .where('organization_id', '=', organizationId)
    .where('identity_id', '=', identityId)
    .where('identity_type', '=', 'api-key')
    .limit(1)
    .executeTakeFirst();
  return key && 'api-key';
}

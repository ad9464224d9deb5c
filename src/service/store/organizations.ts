import type { Micros } from './micros';
import type { FleetSchema, OrganizationRow } from './schema';
import type { StoreAccess } from './store';

export const EMPTY_OBJECT_JSON = '{}';

/** Adds an organization without members. */
export async function insertOrganization(
  access: StoreAccess,
  organization: { id: string; name: string; createdAt: Micros },
): Promise<OrganizationRow> {
  return access
    .insertInto('organizations')
    .values({
      id: organization.id,
      name: organization.name,
      created_at: organization.createdAt,
      public_namespace: null,
      default_region: '',
      cid: null,
      default_fragments: null,
      allowed_login_methods: null,
      metadata: EMPTY_OBJECT_JSON,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns organizations by ID, oldest first. */
export async function listOrganizations(
  access: StoreAccess,
  ids: readonly string[],
): Promise<OrganizationRow[]> {
  return ids.length === 0
    ? []
    : access
        .selectFrom('organizations')
        .selectAll()
        .where('id', 'in', ids)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
}

export async function findOrganization(
  access: StoreAccess,
  id: string,
): Promise<OrganizationRow | undefined> {
  return access.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns true if an organization has this public namespace. */
export async function isNamespaceTaken(access: StoreAccess, namespace: string): Promise<boolean> {
  const row = await access
    .selectFrom('organizations')
    .select('id')
    .where('public_namespace', '=', namespace)
    .executeTakeFirst();
  return row !== undefined;
}

export type OrganizationChanges = Partial<
  Pick<
    FleetSchema['organizations'],
    | 'name'
    | 'public_namespace'
    | 'default_region'
    | 'cid'
    | 'default_fragments'
    | 'allowed_login_methods'
  >
>;

/** Updates the given columns. Returns undefined if the organization doesn't exist. */
export async function updateOrganization(
  access: StoreAccess,
  id: string,
  changes: OrganizationChanges,
): Promise<OrganizationRow | undefined> {
  if (Object.keys(changes).length === 0) return findOrganization(access, id);
  return access
    .updateTable('organizations')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Deletes an organization with everything in it: locations, machines, parts, histories, fragments,
 * secrets, and roles. Must run in a transaction that then deletes the keys without roles.
 */
export async function deleteOrganization(access: StoreAccess, id: string): Promise<void> {
  // SQLite limits the depth of a cascade to a thousand levels, but locations can be nested more
  // deeply.
  await access
    .updateTable('locations')
    .set({ parent_id: null })
    .where('organization_id', '=', id)
    .execute();
  await access.deleteFrom('organizations').where('id', '=', id).execute();
}

import { sql } from 'kysely';
import { queryByIds } from './identifiers';
import type { Micros } from './micros';
import type { ApiKeysTable, AuthorizationRow } from './schema';
import { isSqlite, PreparedQuery, type StoreAccess } from './store';

/** An API key's hash and all of its authorizations. */
export interface ApiKeyCredential {
  keyHash: string;
  name: string;
  authorizations: AuthorizationRow[];
}

const keyWithRoles = new PreparedQuery((access, id) =>
  access
    .selectFrom('api_keys as k')
    .leftJoin('authorizations as a', 'a.identity_id', 'k.id')
    .select([
      'k.key_hash',
      'k.name',
      'a.organization_id',
      'a.identity_type',
      'a.identity_id',
      'a.role',
      'a.resource_type',
      'a.resource_id',
    ])
    .where('k.id', '=', id),
);

/** Returns an API key by its ID; undefined if it doesn't exist. Uses one query. */
export async function findApiKey(
  access: StoreAccess,
  id: string,
): Promise<ApiKeyCredential | undefined> {
  const rows = await keyWithRoles.execute(access, id);
  const first = rows[0];
  return (
    first && {
      keyHash: first.key_hash,
      name: first.name,
      authorizations: rows
        .filter((row): row is typeof row & AuthorizationRow => row.role !== null)
        // Authorizations are copied to other keys, so they must not contain this key's columns.
        .map((row): AuthorizationRow => ({
          organization_id: row.organization_id,
          identity_type: row.identity_type,
          identity_id: row.identity_id,
          role: row.role,
          resource_type: row.resource_type,
          resource_id: row.resource_id,
        })),
    }
  );
}

/** Adds an API key. If a key with the same ID exists, replaces it, which revokes its tokens. */
export async function putApiKey(access: StoreAccess, key: ApiKeysTable): Promise<void> {
  await access
    .insertInto('api_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ key_hash: key.key_hash }))
    .execute();
}

/** Returns the given IDs that belong to existing API keys. */
export async function existingKeyIds(
  access: StoreAccess,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queryByIds(ids, (batch) =>
    access.selectFrom('api_keys').select('id').where('id', 'in', batch).execute(),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Deletes an API key and its roles, which revokes its tokens immediately. */
export async function deleteApiKey(access: StoreAccess, id: string): Promise<void> {
  await access.deleteFrom('authorizations').where('identity_id', '=', id).execute();
  await access.deleteFrom('api_keys').where('id', '=', id).execute();
}

/**
 * Locks the keys with a role in an organization until the commit. Otherwise, two requests that remove
 * a key's last two roles, in different organizations, would overlook each other. The caller must lock
 * the organization first.
 */
export async function lockKeysIn(access: StoreAccess, organizationId: string): Promise<void> {
  // SQLite runs only one transaction at a time.
  if (isSqlite(access)) return;
  await sql`select id from api_keys where id in (
      select identity_id from authorizations where organization_id = ${organizationId})
    order by id for update`.execute(access);
}

/**
 * Deletes all keys without roles. These keys could no longer be listed or deleted, but could still
 * be used to sign in. Must be called in every transaction that revokes roles.
 */
export async function deleteKeysWithoutRoles(access: StoreAccess): Promise<void> {
  const hasNoRole = sql<boolean>`not exists (
    select identity_id from authorizations where identity_id = api_keys.id)`;
  // A statement that waits for a lock doesn't see the roles that were added in the meantime.
  const keys = await access
    .selectFrom('api_keys')
    .select('id')
    .where(hasNoRole)
    .orderBy('id')
    .$if(!isSqlite(access), (query) => query.forUpdate())
    .execute();
  await queryByIds(
    keys.map(({ id }) => id),
    (batch) =>
      access
        .deleteFrom('api_keys')
        .where('id', 'in', batch)
        .where(hasNoRole)
        .returning('id')
        .execute(),
  );
}

/**
 * Replaces a key's secret, which revokes the key's tokens. Returns false if the key doesn't exist.
 */
export async function replaceKeyHash(
  access: StoreAccess,
  id: string,
  keyHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await access
    .updateTable('api_keys')
    .set({ key_hash: keyHash })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** API key as shown in lists, without its secret. */
export interface ApiKeySummary {
  id: string;
  name: string;
  createdAt: Micros;
  /** The key's roles in the requested organization. */
  authorizations: AuthorizationRow[];
}

/** Returns the keys with a role on an organization or one of its resources, oldest first. */
export async function listApiKeys(
  access: StoreAccess,
  organizationId: string,
  resourceId?: string,
): Promise<ApiKeySummary[]> {
  const rows = await access
    .selectFrom('authorizations as a')
    .innerJoin('api_keys as k', 'k.id', 'a.identity_id')
    .selectAll('a')
    .select(['k.name', 'k.created_at'])
    .where('a.organization_id', '=', organizationId)
    .$if(resourceId !== undefined, (query) => query.where('a.resource_id', '=', resourceId ?? ''))
    .orderBy('k.created_at')
    .orderBy('k.id')
    .execute();
  return [...Map.groupBy(rows, (row) => row.identity_id)].map(([id, roles]) => ({
    id,
    name: roles[0]?.name ?? '',
    createdAt: roles[0]?.created_at ?? 0,
    authorizations: roles,
  }));
}

/** Part that a machine signs in as, with the part's ancestors. */
export interface PartHierarchy {
  partId: string;
  machineId: string;
  locationId: string;
  organizationId: string;
}

const hierarchyOfPart = new PreparedQuery<PartHierarchy>((access, partId) =>
  access
    .selectFrom('parts as p')
    .innerJoin('machines as m', 'm.id', 'p.machine_id')
    .innerJoin('locations as l', 'l.id', 'm.location_id')
    .select([
      'p.id as partId',
      'm.id as machineId',
      'l.id as locationId',
      'l.organization_id as organizationId',
    ])
    .where('p.id', '=', partId),
);

/** Returns a part's ancestors; undefined if the part doesn't exist. Uses one query. */
export async function findPartHierarchy(
  access: StoreAccess,
  partId: string,
): Promise<PartHierarchy | undefined> {
  return (await hierarchyOfPart.execute(access, partId))[0];
}

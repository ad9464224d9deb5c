import { sql } from 'kysely';
import { isSqlite } from './isSqlite';
import type { StoreAccess } from './store';

/**
 * Allows only one transaction at a time for a resource. Decisions based on data that the
 * transaction reads afterward therefore remain valid until it commits. In PostgreSQL, an update
 * without changes locks the row. SQLite runs only one transaction at a time anyway.
 */
export async function lockRow(
  access: StoreAccess,
  table: 'organizations' | 'locations' | 'machines' | 'parts' | 'api_keys' | 'registry_items',
  id: string,
): Promise<void> {
  await sql`update ${sql.table(table)} set name = name where id = ${id}`.execute(access);
}

/**
 * Takes a shared lock on an organization. Transactions with shared locks can run concurrently with
 * each other, but not with a transaction that locks the row. SQLite runs only one transaction at a
 * time anyway.
 */
export async function shareOrganization(
  access: StoreAccess,
  organizationId: string,
): Promise<void> {
  if (!isSqlite(access)) {
    await sql`select id from organizations where id = ${organizationId} for share`.execute(access);
  }
}

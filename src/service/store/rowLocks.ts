import { sql } from 'kysely';
import { isSqlite } from './isSqlite';
import type { StoreAccess } from './store';

/**
 * Allows one transaction at a time for a resource: decisions based on what the transaction reads
 * afterward stay valid until it commits. In PostgreSQL, an update without changes locks the row;
 * SQLite runs one transaction at a time anyway.
 */
export async function lockRow(
  access: StoreAccess,
  table: 'organizations' | 'locations' | 'machines' | 'parts' | 'api_keys' | 'registry_items',
  id: string,
): Promise<void> {
  await sql`update ${sql.table(table)} set name = name where id = ${id}`.execute(access);
}

/**
 * Takes a shared lock on an organization: transactions with shared locks run concurrently, but
 * exclude one that locks the row. SQLite runs one transaction at a time anyway.
 */
export async function shareOrganization(
  access: StoreAccess,
  organizationId: string,
): Promise<void> {
  if (!isSqlite(access)) {
    await sql`select id from organizations where id = ${organizationId} for share`.execute(access);
  }
}

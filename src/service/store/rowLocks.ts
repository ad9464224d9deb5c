import { sql } from 'kysely';
import { isSqlite } from './isSqlite';
import type { StoreAccess } from './store';

/**
 * Lets one transaction at a time go on for a resource: what is decided after it from what the
 * transaction reads stays true until it commits. An update that changes nothing locks the row in
 * PostgreSQL; SQLite runs one transaction at a time anyway.
 */
export async function lockRow(
  access: StoreAccess,
  table: 'organizations' | 'locations' | 'machines' | 'parts' | 'api_keys' | 'registry_items',
  id: string,
): Promise<void> {
  await sql`update ${sql.table(table)} set name = name where id = ${id}`.execute(access);
}

/**
 * Lets transactions that only share an organization go on together, while one that locks its row
 * waits for them, and they for it. SQLite runs one transaction at a time anyway.
 */
export async function shareOrganization(
  access: StoreAccess,
  organizationId: string,
): Promise<void> {
  if (!isSqlite(access)) {
    await sql`select id from organizations where id = ${organizationId} for share`.execute(access);
  }
}

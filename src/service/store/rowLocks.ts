import { sql } from 'kysely';
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

import { sql } from 'kysely';
import type { StoreAccess } from './store';

/** Tables of resources with user-defined metadata. */
export type MetadataTable = 'organizations' | 'locations' | 'machines' | 'parts';

/** Returns the metadata of a resource as JSON text; undefined if the resource doesn't exist. */
export async function findMetadata(
  access: StoreAccess,
  table: MetadataTable,
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ metadata: string }>`
    select metadata from ${sql.table(table)} where id = ${id}`.execute(access);
  return rows[0]?.metadata;
}

/** Replaces the metadata of a resource. Returns false if the resource doesn't exist. */
export async function replaceMetadata(
  access: StoreAccess,
  table: MetadataTable,
  id: string,
  json: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set metadata = ${json} where id = ${id}`.execute(access);
  return numAffectedRows === 1n;
}

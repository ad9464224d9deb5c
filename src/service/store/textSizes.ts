import { sql } from 'kysely';
import { queryByIds } from './idBatches';
import type { StoreAccess } from './store';

/**
 * Maximum total size of texts that contain few enough values to be parsed and encoded in one step.
 */
export const MAX_SMALL_BYTES = 16 * 1024;

/** Texts to measure. They are in the rows whose column has one of the given IDs. */
export interface MeasuredTexts {
  readonly table: string;
  readonly column: string;
  readonly idColumn?: string;
  readonly id: string | readonly string[];
}

/** Returns the total size of the texts in bytes, without reading them. */
export async function measureTexts(
  access: StoreAccess,
  { table, column, idColumn = 'id', id }: MeasuredTexts,
): Promise<number> {
  const rows = await queryByIds(typeof id === 'string' ? [id] : id, async (ids) => {
    const answer = await sql<{ bytes: number }>`
      select coalesce(sum(octet_length(${sql.ref(column)})), 0) as bytes
      from ${sql.table(table)} where ${sql.ref(idColumn)} in (${sql.join(ids)})`.execute(access);
    return answer.rows;
  });
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Returns true if the total size of the texts is so large that `DocumentWork` must run the work on
 * them.
 */
export async function hasLargeTexts(
  access: StoreAccess,
  ...texts: readonly MeasuredTexts[]
): Promise<boolean> {
  let bytes = 0;
  for (const measured of texts) bytes += await measureTexts(access, measured);
  return bytes > MAX_SMALL_BYTES;
}

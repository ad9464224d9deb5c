import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { StoreAccess } from '../store';

/**
 * Returns the ID of a series. Creates the series if it doesn't exist.
 * @param series columns of the series row, excluding the ID and key.
 */
export async function ensureSeriesId(
  access: StoreAccess,
  table: 'reading_series' | 'binary_series',
  series: Readonly<Record<string, string | number | null>>,
): Promise<number> {
  const key = createHash('sha256')
    .update(JSON.stringify(Object.entries(series).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
  const find = async (): Promise<number | undefined> => {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where series_key = ${key}`.execute(access);
    return rows[0]?.id;
  };
  const known = await find();
  if (known !== undefined) {
    return known;
  }
  const columns = sql.join([...Object.keys(series), 'series_key'].map((name) => sql.ref(name)));
  const values = sql.join([...Object.values(series), key]);
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})
    on conflict (series_key) do nothing`.execute(access);
  const made = await find();
  if (made === undefined) {
    throw new Error('a series was deleted right after it was created');
  }
  return made;
}

import { sql } from 'kysely';
import type { Micros } from '../micros';
import type { Store, StoreAccess } from '../store';
import { startOfDay } from './readingsDays';
import { type SeriesFilter, suitingIds } from './readingsFilter';

/** Rows a transaction: others go on in between. */
const BATCH_SIZE = 5000;

/** What to delete. */
export interface ReadingsDeletion {
  series: SeriesFilter;
  /** Only what was captured on earlier days; absent, of any day. */
  beforeDay: number | undefined;
  /** Only what was stored before: what arrives meanwhile stays. */
  storedBefore: Micros;
}

interface Day {
  series_id: number;
  day: number;
}

/**
 * Deletes readings day by day, in many transactions: a deletion that breaks off has deleted some,
 * and goes on when it is repeated.
 * @param signal ends it early.
 * @returns how many are gone.
 */
export async function deleteReadings(
  store: Store,
  deletion: ReadingsDeletion,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  let next = await dayAfter(store, deletion, undefined);
  while (next !== undefined) {
    signal.throwIfAborted();
    const day = next;
    const count = await store
      .transaction()
      .execute((transaction) => deleteSome(transaction, day, deletion.storedBefore));
    deleted += count;
    if (count < BATCH_SIZE) {
      next = await dayAfter(store, deletion, day);
    }
  }
  return deleted;
}

async function dayAfter(
  access: StoreAccess,
  { series, beforeDay }: ReadingsDeletion,
  last: Day | undefined,
): Promise<Day | undefined> {
  const rest =
    last === undefined ? sql`1 = 1` : sql`(series_id, day) > (${last.series_id}, ${last.day})`;
  const { rows } = await sql<Day>`select series_id, day from reading_days
    where series_id in ${suitingIds(series)} and ${rest}
    and ${beforeDay === undefined ? sql`1 = 1` : sql`day < ${beforeDay}`}
    order by series_id, day limit 1`.execute(access);
  return rows[0];
}

async function deleteSome(
  access: StoreAccess,
  { series_id, day }: Day,
  storedBefore: Micros,
): Promise<number> {
  // Locks the day: nobody else counts or deletes its readings until this is done.
  await access
    .updateTable('reading_days')
    .set((eb) => ({ row_count: eb.ref('row_count') }))
    .where('series_id', '=', series_id)
    .where('day', '=', day)
    .execute();
  const rows = await access
    .selectFrom('readings')
    .select(['id', 'size'])
    .where('series_id', '=', series_id)
    .where('requested_at', '>=', startOfDay(day))
    .where('requested_at', '<', startOfDay(day + 1))
    .where('synced_at', '<', storedBefore)
    .limit(BATCH_SIZE)
    .execute();
  if (rows.length === 0) {
    return 0;
  }
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  const ids = rows.map(({ id }) => id);
  await access.deleteFrom('readings').where('id', 'in', ids).execute();
  await access
    .updateTable('reading_days')
    .set((eb) => ({
      row_count: eb('row_count', '-', rows.length),
      byte_count: eb('byte_count', '-', bytes),
    }))
    .where('series_id', '=', series_id)
    .where('day', '=', day)
    .execute();
  await access
    .deleteFrom('reading_days')
    .where('series_id', '=', series_id)
    .where('day', '=', day)
    .where('row_count', '<=', 0)
    .execute();
  return rows.length;
}

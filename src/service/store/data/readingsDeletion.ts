import { sql } from 'kysely';
import { shareOrganization, type Store, type StoreAccess } from '../store';
import { markDeleted } from './lakeManifest';
import { startOfDay } from './dayCounts';
import { type SeriesFilter, selectMatchingIds } from './readingsFilter';

/**
 * Number of rows per transaction. It is limited so that other work can run between transactions.
 */
const BATCH_SIZE = 5000;

/** Readings to delete. */
export interface ReadingsDeletion {
  organizationId: string;
  /** Filter for the organization's series. */
  series: SeriesFilter;
  /**
   * Day before which readings must have been captured; if absent, readings of any day are selected.
   */
  beforeDay: number | undefined;
  /** Maximum reading ID. It excludes readings that arrive during the deletion. */
  throughId: number;
}

interface Day {
  series_id: number;
  day: number;
}

/**
 * Deletes readings day by day, in many transactions. An interrupted deletion might already have
 * deleted some readings. Repeating it continues the deletion.
 * @param signal aborts the deletion.
 * @returns the number of deleted readings.
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
      .execute((transaction) => deleteSome(transaction, day, deletion));
    deleted += count;
    if (count < BATCH_SIZE) next = await dayAfter(store, deletion, day);
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
    where series_id in ${selectMatchingIds(series)} and ${rest}
    and ${beforeDay === undefined ? sql`1 = 1` : sql`day < ${beforeDay}`}
    order by series_id, day limit 1`.execute(access);
  return rows[0];
}

/** Deletes some of a day's readings, in capture order, and marks them as deleted. */
async function deleteSome(
  access: StoreAccess,
  { series_id, day }: Day,
  { organizationId, throughId }: ReadingsDeletion,
): Promise<number> {
  await shareOrganization(access, organizationId);
  // Locks the day, so no other transaction can count or delete its readings until this one commits.
  const ofDay = access
    .updateTable('reading_days')
    .where('series_id', '=', series_id)
    .where('day', '=', day);
  await ofDay.set((eb) => ({ row_count: eb.ref('row_count') })).execute();
  const endOfDay = startOfDay(day + 1) - 1;
  const last = await access
    .selectFrom('readings')
    .select('requested_at')
    .where('series_id', '=', series_id)
    .where('requested_at', '>=', startOfDay(day))
    .where('requested_at', '<=', endOfDay)
    .where('id', '<=', throughId)
    .orderBy('requested_at')
    .orderBy('id')
    .offset(BATCH_SIZE - 1)
    .limit(1)
    .executeTakeFirst();
  const deletedTo = last?.requested_at ?? endOfDay;
  // All readings with the same timestamp must be deleted together, because a deletion mark contains
  // only a timestamp.
  const rows = await access
    .deleteFrom('readings')
    .where('series_id', '=', series_id)
    .where('requested_at', '>=', startOfDay(day))
    .where('requested_at', '<=', deletedTo)
    .where('id', '<=', throughId)
    .returning('size')
    .execute();
  if (rows.length === 0) return 0;
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  await ofDay
    .set((eb) => ({
      row_count: eb('row_count', '-', rows.length),
      byte_count: eb('byte_count', '-', bytes),
    }))
    .execute();
  await access
    .deleteFrom('reading_days')
    .where('series_id', '=', series_id)
    .where('day', '=', day)
    .where('row_count', '<=', 0)
    .execute();
  await markDeleted(access, {
    series_id,
    day,
    through_id: throughId,
    organization_id: organizationId,
    deleted_to: deletedTo,
  });
  return rows.length;
}

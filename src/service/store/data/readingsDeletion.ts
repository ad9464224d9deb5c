import { sql } from 'kysely';
import { yieldToEventLoop } from '../../../base/slices';
import { stale } from '../../errors';
import { shareOrganization, type Store, type StoreAccess } from '../store';
import { findColdProgress } from './coldReadings';
import { type Count, startOfDay, sums } from './dayCounts';
import { markDeleted } from './lakeManifest';
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
  let coldThrough = 0;
  while (next !== undefined) {
    // SQLite runs statements synchronously, so nothing else would run until the loop ends.
    await yieldToEventLoop();
    signal.throwIfAborted();
    const day = next;
    const through = coldThrough;
    const batch = await store
      .transaction()
      .execute((transaction) => deleteSome(transaction, day, deletion, through));
    deleted += batch.cold + batch.recorded;
    ({ coldThrough } = batch);
    if (batch.recorded < BATCH_SIZE) {
      next = await dayAfter(store, deletion, day);
      coldThrough = 0;
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
    where series_id in ${selectMatchingIds(series)} and ${rest}
    and ${beforeDay === undefined ? sql`1 = 1` : sql`day < ${beforeDay}`}
    order by series_id, day limit 1`.execute(access);
  return rows[0];
}

interface DeletedBatch {
  /** Number of cold readings, and of readings in the records. */
  cold: number;
  recorded: number;
  /** ID up to which the day's cold readings have been deleted. */
  coldThrough: number;
}

/**
 * Deletes a day's cold readings and some of its readings in the records, in capture order, and marks
 * them as deleted.
 * @param coldThrough ID up to which the day's cold readings have already been deleted. Readings that
 *   have become cold since then are deleted first, because a mark for later ones includes them.
 */
async function deleteSome(
  access: StoreAccess,
  { series_id, day }: Day,
  { organizationId, throughId }: ReadingsDeletion,
  coldThrough: number,
): Promise<DeletedBatch> {
  await shareOrganization(access, organizationId);
  // Locks the day, so no other transaction can count or delete its readings until this one commits.
  const ofDay = access
    .updateTable('reading_days')
    .where('series_id', '=', series_id)
    .where('day', '=', day);
  await ofDay.set((eb) => ({ row_count: eb.ref('row_count') })).execute();
  const subtract = async (rows: number, bytes: number): Promise<void> => {
    await ofDay
      .set((eb) => ({
        row_count: eb('row_count', '-', rows),
        byte_count: eb('byte_count', '-', bytes),
      }))
      .execute();
    await access
      .deleteFrom('reading_days')
      .where('series_id', '=', series_id)
      .where('day', '=', day)
      .where('row_count', '<=', 0)
      .execute();
  };
  const mark = { series_id, day, organization_id: organizationId };
  const endOfDay = startOfDay(day + 1) - 1;
  const { removed } = await findColdProgress(access, organizationId);
  if (removed > throughId) {
    throw stale('the deletion took so long that newer readings were moved to files: try again');
  }
  let cold = 0;
  if (removed > coldThrough) {
    const counts = await countCold(access, { series_id, day });
    cold = counts.count;
    if (cold > 0) {
      await subtract(cold, counts.bytes);
      await markDeleted(access, { ...mark, through_id: removed, deleted_to: endOfDay });
    }
  }
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
  if (rows.length > 0) {
    await subtract(
      rows.length,
      rows.reduce((sum, { size }) => sum + size, 0),
    );
    await markDeleted(access, { ...mark, through_id: throughId, deleted_to: deletedTo });
  }
  return { cold, recorded: rows.length, coldThrough: removed };
}

/**
 * Counts a day's cold readings: those that were counted when they were stored, and that are neither
 * deleted nor in the records. The caller must have locked the day.
 */
async function countCold(access: StoreAccess, { series_id, day }: Day): Promise<Count> {
  const all = await sums(
    access,
    sql`select row_count as count, byte_count as bytes from reading_days
      where series_id = ${series_id} and day = ${day}`,
  );
  const recorded = await sums(
    access,
    sql`select count(*) as count, sum(size) as bytes from readings
      where series_id = ${series_id}
      and requested_at >= ${startOfDay(day)} and requested_at < ${startOfDay(day + 1)}`,
  );
  return { count: all.count - recorded.count, bytes: all.bytes - recorded.bytes };
}

import { type RawBuilder, sql } from 'kysely';
import type { Micros } from '../micros';
import type { StoreAccess } from '../store';
import { dayOf, startOfDay } from './readingsDays';
import { inTime, type ReadingSelection, type SeriesFilter, suitingIds } from './readingsFilter';

interface Count {
  count: number;
  bytes: number;
}

/**
 * How many readings of a selection there are by their time of capture, and how many bytes they have:
 * whole days are counted already, so that only those at the ends are counted one by one.
 */
export async function countReadings(
  access: StoreAccess,
  { series, start, end }: ReadingSelection,
): Promise<Count> {
  const firstDay = start === undefined ? undefined : dayOf(start - 1) + 1;
  const endDay = end === undefined ? undefined : dayOf(end);
  if (firstDay !== undefined && endDay !== undefined && firstDay > endDay) {
    return countOneByOne(access, { series, start, end });
  }
  const counts = [await countDays(access, series, firstDay, endDay)];
  if (start !== undefined && firstDay !== undefined) {
    counts.push(await countOneByOne(access, { series, start, end: startOfDay(firstDay) }));
  }
  if (end !== undefined && endDay !== undefined) {
    counts.push(await countOneByOne(access, { series, start: startOfDay(endDay), end }));
  }
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The latest day of capture on which something was captured that was stored since a moment. */
export async function latestDay(
  access: StoreAccess,
  series: SeriesFilter,
  storedFrom: Micros,
): Promise<number | undefined> {
  const { rows } = await sql<{ day: number | null }>`select max(day) as day from reading_days
    where series_id in ${suitingIds(series)} and last_synced_at >= ${storedFrom}`.execute(access);
  return rows[0]?.day ?? undefined;
}

async function countDays(
  access: StoreAccess,
  series: SeriesFilter,
  firstDay: number | undefined,
  endDay: number | undefined,
): Promise<Count> {
  return sums(
    access,
    sql`select sum(row_count) as count, sum(byte_count) as bytes from reading_days
      where series_id in ${suitingIds(series)}
      and ${firstDay === undefined ? sql`1 = 1` : sql`day >= ${firstDay}`}
      and ${endDay === undefined ? sql`1 = 1` : sql`day < ${endDay}`}`,
  );
}

async function countOneByOne(access: StoreAccess, selection: ReadingSelection): Promise<Count> {
  return sums(
    access,
    sql`select count(*) as count, sum(size) as bytes from readings
      where series_id in ${suitingIds(selection.series)} and ${inTime(selection)}`,
  );
}

/** PostgreSQL adds up 64-bit numbers to a decimal, which arrives as text; nothing adds up to null. */
type Sums = Record<keyof Count, number | string | null>;

async function sums(access: StoreAccess, query: RawBuilder<Sums>): Promise<Count> {
  const { rows } = await query.execute(access);
  return { count: Number(rows[0]?.count ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}

import { sql } from 'kysely';
import type { Micros } from '../micros';
import type { StoreAccess } from '../store';
import { type Count, countByDays, type Span, sums } from './dayCounts';
import { inTime, type ReadingSelection, type SeriesFilter, suitingIds } from './readingsFilter';

/** Returns the number of readings in a selection by capture time, and their total size in bytes. */
export async function countReadings(
  access: StoreAccess,
  { series, start, end }: ReadingSelection,
): Promise<Count> {
  return countByDays(
    { start, end },
    (days) => countDays(access, series, days),
    (span) => countOneByOne(access, { series, ...span }),
  );
}

/** Returns the latest capture day among readings stored since a given time. */
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
  { start, end }: Span<number>,
): Promise<Count> {
  return sums(
    access,
    sql`select sum(row_count) as count, sum(byte_count) as bytes from reading_days
      where series_id in ${suitingIds(series)}
      and ${start === undefined ? sql`1 = 1` : sql`day >= ${start}`}
      and ${end === undefined ? sql`1 = 1` : sql`day < ${end}`}`,
  );
}

async function countOneByOne(access: StoreAccess, selection: ReadingSelection): Promise<Count> {
  return sums(
    access,
    sql`select count(*) as count, sum(size) as bytes from readings
      where series_id in ${suitingIds(selection.series)} and ${inTime(selection)}`,
  );
}

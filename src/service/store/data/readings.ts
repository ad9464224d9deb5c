import type { Insertable } from 'kysely';
import type { Micros } from '../micros';
import { shareOrganization } from '../rowLocks';
import type { StoreAccess } from '../store';
import { dayOf } from './readingsDays';
import type { ReadingSeriesRow, ReadingsTable } from './readingsSchema';
import { idOfSeries } from './seriesIds';

/** A series as it is before it has a row. */
export type NewSeries = Omit<ReadingSeriesRow, 'id' | 'series_key'>;

/** A reading as it arrives. */
export interface NewReading {
  requestedAt: Micros;
  receivedAt: Micros;
  /** JSON text. */
  payload: string;
}

/**
 * Rows a statement, the largest first: few different statements, so that the database need not
 * compile them anew, and far fewer parameters than it takes.
 */
const BATCH_SIZES = [256, 32, 4, 1];

/**
 * Stores readings of one series. Run it in a transaction: all of them are stored, or none.
 * @param syncedAt when the service stores them.
 */
export async function insertReadings(
  access: StoreAccess,
  series: NewSeries,
  readings: readonly NewReading[],
  syncedAt: Micros,
): Promise<void> {
  const seriesId = await idOfSeries(access, 'reading_series', { ...series });
  const rows = readings.map(({ requestedAt, receivedAt, payload }) => ({
    series_id: seriesId,
    organization_id: series.organization_id,
    requested_at: requestedAt,
    received_at: receivedAt,
    synced_at: syncedAt,
    size: Buffer.byteLength(payload),
    payload,
  }));
  await shareOrganization(access, series.organization_id);
  // First, as it locks the days: whoever then locks one finds every reading that has an id already.
  await countDays(access, rows);
  await insertRows(access, rows);
}

async function insertRows(
  access: StoreAccess,
  rows: readonly Insertable<ReadingsTable>[],
): Promise<void> {
  let start = 0;
  for (const size of BATCH_SIZES.filter((candidate) => candidate <= rows.length)) {
    // One statement for all batches of a size: making its text takes as long as running it.
    const statement = access.insertInto('readings').values(rows.slice(0, size)).compile();
    for (; rows.length - start >= size; start += size) {
      const parameters = rows.slice(start, start + size).flatMap((row) => Object.values(row));
      await access.executeQuery({ ...statement, parameters });
    }
  }
}

interface CountedRow {
  series_id: number;
  requested_at: Micros;
  synced_at: Micros;
  size: number;
}

async function countDays(access: StoreAccess, rows: readonly CountedRow[]): Promise<void> {
  const days = new Map<number, { count: number; bytes: number }>();
  for (const { requested_at, size } of rows) {
    const day = dayOf(requested_at);
    const { count, bytes } = days.get(day) ?? { count: 0, bytes: 0 };
    days.set(day, { count: count + 1, bytes: bytes + size });
  }
  const first = rows[0];
  // Always in this order, so that two uploads never wait for each other.
  for (const [day, { count, bytes }] of [...days].sort(([a], [b]) => a - b)) {
    await access
      .insertInto('reading_days')
      .values({
        series_id: first?.series_id ?? 0,
        day,
        row_count: count,
        byte_count: bytes,
        last_synced_at: first?.synced_at ?? 0,
      })
      .onConflict((conflict) =>
        conflict.columns(['series_id', 'day']).doUpdateSet((eb) => ({
          row_count: eb('reading_days.row_count', '+', count),
          byte_count: eb('reading_days.byte_count', '+', bytes),
          last_synced_at: eb
            .case()
            .when('reading_days.last_synced_at', '>', first?.synced_at ?? 0)
            .then(eb.ref('reading_days.last_synced_at'))
            .else(first?.synced_at ?? 0)
            .end(),
        })),
      )
      .execute();
  }
}

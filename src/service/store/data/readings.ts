import { sql } from 'kysely';
import { insertRows } from '../insertRows';
import type { Micros } from '../micros';
import { shareOrganization } from '../rowLocks';
import type { StoreAccess } from '../store';
import { toUtcDay } from './readingsDays';
import type { ReadingSeriesRow } from './readingsSchema';
import { ensureSeriesId } from './seriesIds';

/** Series that doesn't have a row yet. */
export type NewSeries = Omit<ReadingSeriesRow, 'id' | 'series_key'>;

/** Received reading. */
export interface NewReading {
  requestedAt: Micros;
  receivedAt: Micros;
  /** JSON text. */
  payload: string;
}

const COLUMNS = [
  ...(['series_id', 'organization_id', 'requested_at', 'received_at'] as const),
  ...(['synced_at', 'size', 'payload'] as const),
] as const;

/**
 * Stores readings of one series. Must run in a transaction, which stores either all readings or
 * none.
 * @param syncedAt time when the service stores the readings.
 */
export async function insertReadings(
  access: StoreAccess,
  series: NewSeries,
  readings: readonly NewReading[],
  syncedAt: Micros,
): Promise<void> {
  const seriesId = await ensureSeriesId(access, 'reading_series', { ...series });
  const rows = readings.map((reading) => ({
    ...reading,
    size: Buffer.byteLength(reading.payload),
  }));
  await shareOrganization(access, series.organization_id);
  // Must be first, because it locks the days. Later holders of the lock then see every reading that
  // already has an ID.
  await countDays(access, seriesId, rows, syncedAt);
  await insertRows(
    access,
    'readings',
    COLUMNS,
    rows.map(({ requestedAt, receivedAt, size, payload }) => [
      ...([seriesId, series.organization_id, requestedAt, receivedAt] as const),
      ...([syncedAt, size, payload] as const),
    ]),
  );
}

async function countDays(
  access: StoreAccess,
  seriesId: number,
  rows: readonly (NewReading & { size: number })[],
  syncedAt: Micros,
): Promise<void> {
  const days = new Map<number, { count: number; bytes: number }>();
  for (const { requestedAt, size } of rows) {
    const day = toUtcDay(requestedAt);
    const { count, bytes } = days.get(day) ?? { count: 0, bytes: 0 };
    days.set(day, { count: count + 1, bytes: bytes + size });
  }
  // Always sorted in the same order to prevent deadlocks between uploads.
  for (const [day, { count, bytes }] of [...days].sort(([a], [b]) => a - b)) {
    await sql`insert into reading_days (series_id, day, row_count, byte_count, last_synced_at)
      values (${seriesId}, ${day}, ${count}, ${bytes}, ${syncedAt})
      on conflict (series_id, day) do update set
        row_count = reading_days.row_count + ${count},
        byte_count = reading_days.byte_count + ${bytes},
        last_synced_at = case when reading_days.last_synced_at > ${syncedAt}
          then reading_days.last_synced_at else ${syncedAt} end`.execute(access);
  }
}

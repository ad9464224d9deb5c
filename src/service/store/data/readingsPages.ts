import { type RawBuilder, sql } from 'kysely';
import type { Micros } from '../micros';
import { queryByIds } from '../idBatches';
import type { StoreAccess } from '../store';
import {
  inTime,
  type ReadingSelection,
  type SeriesFilter,
  suitingIds,
  suits,
} from './readingsFilter';
import type { ReadingRow, ReadingSeriesRow } from './readingsSchema';
import { spanAfter } from './spanAfter';

/** The end of a page: the reading that it ended with. */
export interface ReadingsEnd {
  requestedAt: Micros;
  id: number;
}

/** Which part of a selection to list, in the order of capture. */
export interface ReadingsPage {
  oldestFirst: boolean;
  /** The page begins after this reading, whether it is there still or not. */
  after: ReadingsEnd | undefined;
  limit: number;
  /** How many bytes the payloads may have together; the first one may have more. */
  maxBytes: number;
}

/**
 * With up to so many series, each is read along its own index and the results are merged; with more,
 * the index of their organization is followed. SQLite takes up to 500 parts of a `union`.
 */
const MAX_MERGED = 100;

type Key = Pick<ReadingRow, 'id' | 'series_id' | 'requested_at' | 'size'>;

/**
 * A page of a selection, and where it ends; past the last page there is no end. Its cost does not
 * grow with what lies before it, and readings that arrive in the meantime neither move nor repeat others.
 */
export async function pageOfReadings(
  access: StoreAccess,
  selection: ReadingSelection,
  page: ReadingsPage,
): Promise<{ rows: ReadingRow[]; end: ReadingsEnd | undefined }> {
  const keys = cut(await keysOfPage(access, selection, page), page.maxBytes);
  const last = keys.at(-1);
  if (last === undefined) {
    return { rows: [], end: undefined };
  }
  const rows = await access
    .selectFrom('readings')
    .selectAll()
    .where(
      'id',
      'in',
      keys.map(({ id }) => id),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    rows: keys.flatMap(({ id }) => byId.get(id) ?? []),
    end: { requestedAt: last.requested_at, id: last.id },
  };
}

/** The series of readings, by their ids. */
export async function findSeries(
  access: StoreAccess,
  readings: readonly ReadingRow[],
): Promise<Map<number, ReadingSeriesRow>> {
  return seriesOfIds(
    access,
    readings.map(({ series_id }) => series_id),
  );
}

/** Series by their ids. */
export async function seriesOfIds(
  access: StoreAccess,
  ids: readonly number[],
): Promise<Map<number, ReadingSeriesRow>> {
  const rows = await queryByIds(ids, (batch) =>
    access.selectFrom('reading_series').selectAll().where('id', 'in', batch).execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether anything was captured that suits a filter, deleted since or not. */
export async function hasSeries(access: StoreAccess, filter: SeriesFilter): Promise<boolean> {
  const { rows } = await sql`select s.id from reading_series s
    where ${suits(filter)} limit 1`.execute(access);
  return rows.length > 0;
}

// Without the payloads, which can have megabytes each.
async function keysOfPage(
  access: StoreAccess,
  selection: ReadingSelection,
  page: ReadingsPage,
): Promise<Key[]> {
  const sources = await sourcesOf(access, selection);
  if (sources.length === 0) {
    return [];
  }
  const direction = sql.raw(page.oldestFirst ? 'asc' : 'desc');
  const order = sql`order by requested_at ${direction}, id ${direction} limit ${page.limit}`;
  const behind = sql.raw(page.oldestFirst ? '>' : '<');
  const rest =
    page.after === undefined
      ? sql`1 = 1`
      : sql`(requested_at, id) ${behind} (${page.after.requestedAt}, ${page.after.id})`;
  const time = { ...selection, ...spanAfter(selection, page.oldestFirst, page.after?.requestedAt) };
  const parts = sources.map(
    (source) => sql`select * from (
      select id, series_id, requested_at, size from readings
      where ${source} and ${inTime(time)} and ${rest} ${order}
    ) part`,
  );
  const { rows } = await sql<Key>`
    select * from (${sql.join(parts, sql` union all `)}) merged ${order}`.execute(access);
  return rows;
}

/** Conditions that part the readings of a selection, each along one index. */
async function sourcesOf(
  access: StoreAccess,
  { series }: ReadingSelection,
): Promise<RawBuilder<boolean>[]> {
  const { rows } = await sql<{ id: number }>`select s.id from reading_series s
    where ${suits(series)} limit ${MAX_MERGED + 1}`.execute(access);
  if (rows.length <= MAX_MERGED) {
    return rows.map(({ id }) => sql`series_id = ${id}`);
  }
  const organizations = await sql<{ id: string }>`select distinct s.organization_id as id
    from reading_series s where ${suits(series)}`.execute(access);
  // The plus keeps both databases from following the index of the series here.
  return organizations.rows.map(
    ({ id }) => sql`organization_id = ${id} and (+series_id) in ${suitingIds(series)}`,
  );
}

function cut(keys: readonly Key[], maxBytes: number): Key[] {
  let bytes = 0;
  return keys.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= maxBytes;
  });
}

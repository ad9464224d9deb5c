import { type RawBuilder, sql } from 'kysely';
import type { Micros } from '../micros';
import { queryByIds } from '../identifiers';
import type { StoreAccess } from '../store';
import {
  inTime,
  matchesSeriesFilter,
  type ReadingSelection,
  type SeriesFilter,
  selectMatchingIds,
} from './readingsFilter';
import type { ReadingRow, ReadingSeriesRow } from './dataSchema';
import { type Span, spanAfter } from './dayCounts';
import type { UnsealedRange } from './lakeManifest';

/** Last reading of a page. */
export interface ReadingsEnd {
  requestedAt: Micros;
  id: number;
}

/** Part of a selection to list, in capture order. */
export interface ReadingsPage {
  oldestFirst: boolean;
  /** Reading after which the page starts, even if the reading has been deleted. */
  after: ReadingsEnd | undefined;
  limit: number;
  /** Maximum total size of the payloads in bytes. The first payload can be larger. */
  maxBytes: number;
}

/** Page of one source, whose other readings are all after it. */
export interface SourcePage {
  rows: readonly ReadingRow[];
  /** First reading that was omitted because the page would be too large. */
  next?: ReadingsEnd | undefined;
}

/**
 * Maximum number of series whose indexes are read separately and then merged. If there are more
 * series, their organization's index is used. SQLite supports up to 500 parts in a `union`.
 */
const MAX_MERGED = 100;
/** Day after all days of readings, whose times are in microseconds. */
const MAX_DAY = 1_000_000_000;

type Key = Pick<ReadingRow, 'id' | 'series_id' | 'requested_at' | 'size'>;

/**
 * Returns a page of a selection and its end; the last page has no end. The cost doesn't depend on
 * the number of preceding readings. Readings that arrive between requests for pages don't cause
 * other readings to be skipped or repeated.
 */
export async function readReadingsPage(
  access: StoreAccess,
  selection: ReadingSelection,
  page: ReadingsPage,
): Promise<{ rows: ReadingRow[]; end: ReadingsEnd | undefined; next: ReadingsEnd | undefined }> {
  const found = await readPageKeys(access, selection, page);
  const keys = cut(found, page.maxBytes);
  const last = keys.at(-1);
  if (last === undefined) return { rows: [], end: undefined, next: undefined };
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
    end: toEnd(last),
    next: toEnd(found[keys.length]),
  };
}

/**
 * Returns the page that consists of pages of disjoint sources. It ends before any reading that a
 * source has omitted, because the following page would otherwise skip that reading.
 */
export function mergePages(
  pages: readonly SourcePage[],
  { oldestFirst, limit, maxBytes }: ReadingsPage,
): { rows: ReadingRow[]; end: ReadingsEnd | undefined } {
  const sign = oldestFirst ? 1 : -1;
  const compare = (a: ReadingsEnd, b: ReadingsEnd): number =>
    sign * (a.requestedAt - b.requestedAt || a.id - b.id);
  const [next] = pages.flatMap((page) => page.next ?? []).toSorted(compare);
  const merged = pages
    .flatMap(({ rows }) => rows.map((row) => ({ row, at: toEnd(row) })))
    .filter(({ at }) => next === undefined || compare(at, next) < 0)
    .toSorted((a, b) => compare(a.at, b.at))
    .map(({ row }) => row);
  const rows = cut(merged.slice(0, limit), maxBytes);
  return { rows, end: toEnd(rows.at(-1)) };
}

function toEnd(key: Pick<Key, 'id' | 'requested_at'>): ReadingsEnd;
function toEnd(key: Pick<Key, 'id' | 'requested_at'> | undefined): ReadingsEnd | undefined;
function toEnd(key: Pick<Key, 'id' | 'requested_at'> | undefined): ReadingsEnd | undefined {
  return key && { requestedAt: key.requested_at, id: key.id };
}

/** Returns the series of readings by ID. */
export async function findSeries(
  access: StoreAccess,
  readings: readonly ReadingRow[],
): Promise<Map<number, ReadingSeriesRow>> {
  return getSeriesByIds(
    access,
    readings.map(({ series_id }) => series_id),
  );
}

/** Returns series by ID. */
export async function getSeriesByIds(
  access: StoreAccess,
  ids: readonly number[],
): Promise<Map<number, ReadingSeriesRow>> {
  const rows = await queryByIds(ids, (batch) =>
    access.selectFrom('reading_series').selectAll().where('id', 'in', batch).execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the IDs of the series in some organizations that match a filter, by organization. */
export async function findSeriesIds(
  access: StoreAccess,
  filter: SeriesFilter,
  organizationIds: readonly string[],
): Promise<Map<string, number[]>> {
  const rows = await queryByIds(
    organizationIds,
    async (batch) =>
      (
        await sql<{ id: number; organization_id: string }>`select s.id, s.organization_id
          from reading_series s where s.organization_id in (${sql.join(batch)})
          and ${matchesSeriesFilter(filter)} order by s.id`.execute(access)
      ).rows,
  );
  const groups = Map.groupBy(rows, ({ organization_id: organizationId }) => organizationId);
  return new Map(
    [...groups].map(([organizationId, of]) => [organizationId, of.map(({ id }) => id)]),
  );
}

/** Returns the days in a range on which any of these series has readings. */
export async function findReadingDays(
  access: StoreAccess,
  seriesIds: readonly number[],
  { start = -MAX_DAY, end = MAX_DAY }: Span<number>,
): Promise<ReadonlySet<number>> {
  const rows = await queryByIds(seriesIds, (batch) =>
    access
      .selectFrom('reading_days')
      .select('day')
      .distinct()
      .where('series_id', 'in', batch)
      .where('day', '>=', start)
      .where('day', '<', end)
      .execute(),
  );
  return new Set(rows.map(({ day }) => day));
}

/**
 * Returns true if any reading that matches a filter was ever captured, even if it has been deleted.
 */
export async function hasSeries(access: StoreAccess, filter: SeriesFilter): Promise<boolean> {
  const { rows } = await sql`select s.id from reading_series s
    where ${matchesSeriesFilter(filter)} limit 1`.execute(access);
  return rows.length > 0;
}

// Excludes the payloads, which can be several megabytes each.
async function readPageKeys(
  access: StoreAccess,
  selection: ReadingSelection,
  page: ReadingsPage,
): Promise<Key[]> {
  const sources = await listSources(access, selection);
  if (sources.length === 0) return [];
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

/**
 * Returns conditions that partition the readings in a selection. Each part is read from one index.
 */
async function listSources(
  access: StoreAccess,
  { series }: ReadingSelection,
): Promise<RawBuilder<boolean>[]> {
  const { rows } = await sql<{ id: number }>`select s.id from reading_series s
    where ${matchesSeriesFilter(series)} limit ${MAX_MERGED + 1}`.execute(access);
  if (rows.length <= MAX_MERGED) return rows.map(({ id }) => sql`series_id = ${id}`);
  const organizations = await sql<{ id: string }>`select distinct s.organization_id as id
    from reading_series s where ${matchesSeriesFilter(series)}`.execute(access);
  // The plus sign prevents both databases from using the series index here.
  return organizations.rows.map(
    ({ id }) => sql`organization_id = ${id} and (+series_id) in ${selectMatchingIds(series)}`,
  );
}

function cut<T extends { size: number }>(keys: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  return keys.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= maxBytes;
  });
}

/** Limits on the number of rows and bytes to read at a time. */
const MAX_ROWS = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Yields an organization's readings in arrival order, in batches. */
export async function* readingsInOrder(
  access: StoreAccess,
  organizationId: string,
  { after, through }: UnsealedRange,
): AsyncGenerator<ReadingRow[]> {
  for (let last: number | undefined = after; last !== undefined;) {
    const sizes = await access
      .selectFrom('readings')
      .select(['id', 'size'])
      .where('organization_id', '=', organizationId)
      .where('id', '>', last)
      .where('id', '<=', through)
      .orderBy('id')
      .limit(MAX_ROWS)
      .execute();
    for (let start = 0; start < sizes.length;) {
      const end = findChunkEnd(sizes, start);
      yield await access
        .selectFrom('readings')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '>=', sizes[start]?.id ?? 0)
        .where('id', '<=', sizes[end - 1]?.id ?? 0)
        .orderBy('id')
        .execute();
      start = end;
    }
    last = sizes.length < MAX_ROWS ? undefined : sizes.at(-1)?.id;
  }
}

/**
 * Returns the end of a batch that doesn't exceed the byte limit. A batch can exceed the limit if it
 * consists of one reading.
 */
function findChunkEnd(sizes: readonly { size: number }[], start: number): number {
  let bytes = 0;
  let end = start;
  while (end < sizes.length && (end === start || bytes + (sizes[end]?.size ?? 0) <= MAX_BYTES)) {
    bytes += sizes[end]?.size ?? 0;
    end += 1;
  }
  return end;
}

import { type RawBuilder, sql } from 'kysely';
import { queryByIds } from '../identifiers';
import type { Micros } from '../micros';
import type { StoreAccess } from '../store';
import {
  type BinarySelection,
  findIndexLead,
  itemConditions,
  type Lead,
  leadConditions,
} from './binaryFilter';
import type { BinaryDataRow, BinarySeriesTable } from './dataSchema';
import { spanAfter } from './dayCounts';
import { ensureSeriesId, matchesSeriesFilter } from './readingsFilter';

/** Last item of a page. */
export interface PageEnd {
  requestedAt: Micros;
  id: string;
}

/** Part of a selection to list, in capture order. */
export interface BinaryPage {
  oldestFirst: boolean;
  /** Item after which the page starts, even if the item has been deleted. */
  after: PageEnd | undefined;
  limit: number;
}

/**
 * Maximum number of series whose indexes are read separately and then merged. If there are more
 * series, their organization's index is used. SQLite supports up to 500 parts in a `union`.
 */
const MAX_MERGED = 100;
/** Number of items whose IDs are in memory at the same time. */
const BATCH = 5000;

/** Rows of items or marks, read from an index in order of capture. */
interface Source {
  table: 'binary_data' | Lead['table'];
  id: 'id' | 'binary_id';
  where: RawBuilder<boolean>;
}

/**
 * Returns a page of a selection. The cost doesn't depend on the number of preceding items. Items
 * that arrive between requests for pages don't cause other items to be skipped or repeated.
 */
export async function readBinaryDataPage(
  access: StoreAccess,
  selection: BinarySelection,
  page: BinaryPage,
): Promise<BinaryDataRow[]> {
  const ids = (await readPageKeys(access, selection, page)).map(({ id }) => id);
  const rows = await queryByIds(ids, (batch) =>
    access.selectFrom('binary_data').selectAll().where('id', 'in', batch).execute(),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Returns the keys of a page's items. A page that continues after the last key starts with the next
 * item.
 */
export async function readPageKeys(
  access: StoreAccess,
  selection: BinarySelection,
  { oldestFirst, after, limit }: BinaryPage,
): Promise<PageEnd[]> {
  const { filter } = selection;
  const rest = { ...filter, ...spanAfter(filter, oldestFirst, after?.requestedAt) };
  const sources = await listSources(access, { ...selection, filter: rest });
  if (sources.length === 0) return [];
  const direction = sql.raw(oldestFirst ? 'asc' : 'desc');
  const behind = sql.raw(oldestFirst ? '>' : '<');
  const parts = sources.map(({ table, id, where }) => {
    const isBehind =
      after === undefined
        ? sql`1 = 1`
        : sql`(requested_at, ${sql.ref(id)}) ${behind} (${after.requestedAt}, ${after.id})`;
    return sql`select * from (
      select distinct ${sql.ref(id)} as id, requested_at from ${sql.table(table)}
      where ${where} and ${isBehind}
      order by requested_at ${direction}, ${sql.ref(id)} ${direction} limit ${limit}
    ) part`;
  });
  // An item with more than one of the marks is in multiple parts of the union.
  const { rows } = await sql<PageEnd>`
    select id, requested_at as "requestedAt" from (${sql.join(parts, sql` union `)}) merged
    order by requested_at ${direction}, id ${direction} limit ${limit}`.execute(access);
  return rows;
}

/** Yields the IDs of all items in a selection in batches. */
export async function* idsInBatches(
  access: StoreAccess,
  selection: BinarySelection,
): AsyncGenerator<string[]> {
  let after: PageEnd | undefined;
  do {
    const keys = await readPageKeys(access, selection, { oldestFirst: true, after, limit: BATCH });
    yield keys.map(({ id }) => id);
    after = keys.length < BATCH ? undefined : keys.at(-1);
  } while (after !== undefined);
}

/** Returns the sources of a selection's items. Each source is read from one index. */
async function listSources(access: StoreAccess, selection: BinarySelection): Promise<Source[]> {
  const lead = findIndexLead(selection);
  if (lead !== undefined) {
    const isSuiting = sql`(+series_id) in ${selectMatchingSeries(selection)}`;
    return lead.values.map((value) => ({
      table: lead.table,
      id: 'binary_id',
      where: sql`${sql.ref(lead.column)} = ${value} and ${isSuiting}
        and ${leadConditions(selection, lead)}`,
    }));
  }
  const conditions = itemConditions(selection);
  const along = (where: RawBuilder<unknown>): Source => ({
    table: 'binary_data',
    id: 'id',
    where: sql`${where} and ${conditions}`,
  });
  const { rows: series } = await sql<{ id: number }>`select s.id from binary_series s
    where ${matchesBinarySelection(selection)} limit ${MAX_MERGED + 1}`.execute(access);
  if (series.length <= MAX_MERGED) return series.map(({ id }) => along(sql`series_id = ${id}`));
  const { rows: organizations } = await sql<{ id: string }>`select distinct s.organization_id as id
    from binary_series s where ${matchesBinarySelection(selection)}`.execute(access);
  // The plus sign prevents both databases from using the series index here.
  return organizations.map(({ id }) =>
    along(sql`organization_id = ${id} and (+series_id) in ${selectMatchingSeries(selection)}`),
  );
}

/** Properties that the items in a series share. */
export type BinarySeries = Omit<BinarySeriesTable, 'id' | 'series_key'>;

/** Columns that both series and items have. */
export const BINARY_SERIES_COLUMNS = [
  'organization_id',
  'location_id',
  'robot_id',
  'robot_name',
  'part_id',
  'part_name',
  'component_type',
  'component_kind',
  'component_name',
  'method_name',
  'mime_type',
  'is_internal',
] as const satisfies readonly (keyof BinarySeries)[];

/** Returns an item's series. */
export function toBinarySeries(item: BinarySeries): BinarySeries {
  return Object.fromEntries(
    BINARY_SERIES_COLUMNS.map((column) => [column, item[column]]),
  ) as unknown as BinarySeries;
}

/** Returns the ID of a series. Creates the series if it doesn't exist. */
export async function ensureBinarySeriesId(
  access: StoreAccess,
  series: BinarySeries,
): Promise<number> {
  return ensureSeriesId(access, 'binary_series', { ...series });
}

/** Returns the condition that row `s` of `binary_series` matches a selection. */
export function matchesBinarySelection({
  scopes,
  filter,
  includeInternal,
}: BinarySelection): RawBuilder<boolean> {
  const suiting = matchesSeriesFilter({ scopes, columns: filter.columns });
  return includeInternal ? suiting : sql`(${suiting} and s.is_internal = 0)`;
}

/** Returns the IDs of the series that match a selection, as a subquery. */
export function selectMatchingSeries(selection: BinarySelection): RawBuilder<number> {
  return sql`(select s.id from binary_series s where ${matchesBinarySelection(selection)})`;
}

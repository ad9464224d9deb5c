import { type RawBuilder, sql } from 'kysely';
import { createHash } from 'node:crypto';
import type { Micros } from '../micros';
import type { TagCondition } from './binaryFilter';
import { all, any, type Condition, isCapturedBetween, isOneOf } from './conditions';
import { type DataScope, inScope } from './dataScope';
import { joinLines } from './dataSchema';
import type { StoreAccess } from '../store';

/** Conditions on the series of readings. Conditions that are absent or empty match everything. */
export interface SeriesFilter<Column extends string = SeriesColumn> {
  /** The filter's scopes. A series must be in all of them. */
  scopes: readonly DataScope[];
  /** Columns to filter by, with values. In each column, a series must have one of the values. */
  columns: readonly { column: Column; anyOf: readonly string[] }[];
  tags?: TagCondition | undefined;
  /** Lines that must all be contained in the series' parameters. */
  parameters?: readonly string[] | undefined;
  /** Component types, without a namespace, to exclude. */
  withoutKinds?: readonly string[] | undefined;
}

/** Series columns that can be filtered. */
export type SeriesColumn =
  | 'component_name'
  | 'component_type'
  | 'component_kind'
  | 'method_name'
  | 'robot_name'
  | 'robot_id'
  | 'part_name'
  | 'part_id'
  | 'location_id'
  | 'organization_id';

/** Readings that an operation applies to. */
export interface ReadingSelection {
  series: SeriesFilter;
  /** Start (inclusive) and end (exclusive) of the capture time. */
  start?: Micros | undefined;
  end?: Micros | undefined;
  /** Start (inclusive) of the storage time. */
  storedFrom?: Micros | undefined;
  /**
   * Highest ID. It excludes readings that are stored later, even if the clocks of the services that
   * store them are wrong.
   */
  throughId?: number | undefined;
}

/**
 * Returns the condition that row `s` of `reading_series`, or of another series table, matches a
 * filter.
 */
export function matchesSeriesFilter<Column extends string>(
  filter: SeriesFilter<Column>,
): Condition {
  const { scopes, columns, tags, parameters = [], withoutKinds = [] } = filter;
  return all([
    ...scopes.map((scope) => inScope('s', scope)),
    ...columns
      .filter(({ anyOf }) => anyOf.length > 0)
      .map(({ column, anyOf }) => isOneOf(`s.${column}`, anyOf)),
    ...(tags === undefined ? [] : [hasTags(tags)]),
    ...parameters.map((line) => hasLine('parameters', line)),
    ...withoutKinds.map((kind) => sql<boolean>`s.component_kind <> ${kind}`),
  ]);
}

/** Returns the IDs of the series that match a filter, as a subquery. */
export function selectMatchingIds(filter: SeriesFilter): RawBuilder<number> {
  return sql`(select s.id from reading_series s where ${matchesSeriesFilter(filter)})`;
}

/** Returns the condition that a reading is in a selection's time range. */
export function inTime(selection: ReadingSelection): Condition {
  const { storedFrom, throughId } = selection;
  return all([
    isCapturedBetween(selection),
    ...(storedFrom === undefined ? [] : [sql<boolean>`synced_at >= ${storedFrom}`]),
    ...(throughId === undefined ? [] : [sql<boolean>`id <= ${throughId}`]),
  ]);
}

function hasTags(condition: TagCondition): Condition {
  if (condition === 'tagged') return sql`s.tags <> ''`;
  if (condition === 'untagged') return sql`s.tags = ''`;
  return any(condition.anyOf.map((tag) => hasLine('tags', JSON.stringify(tag))));
}

// Case-sensitive, unlike SQLite's `like`.
function hasLine(column: 'tags' | 'parameters', line: string): Condition {
  const text = sql`s.${sql.ref(column)}`;
  return sql`replace(${text}, ${joinLines([line])}, '') <> ${text}`;
}

/**
 * Returns a series' ID. Creates the series if it doesn't exist.
 * @param series columns in the series row, excluding the ID and key.
 */
export async function ensureSeriesId(
  access: StoreAccess,
  table: 'reading_series' | 'binary_series',
  series: Readonly<Record<string, string | number | null>>,
): Promise<number> {
  const key = createHash('sha256')
    .update(JSON.stringify(Object.entries(series).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
  const find = async (): Promise<number | undefined> => {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where series_key = ${key}`.execute(access);
    return rows[0]?.id;
  };
  const known = await find();
  if (known !== undefined) return known;
  const columns = sql.join([...Object.keys(series), 'series_key'].map((name) => sql.ref(name)));
  const values = sql.join([...Object.values(series), key]);
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})
    on conflict (series_key) do nothing`.execute(access);
  const made = await find();
  if (made === undefined) throw new Error('a series was deleted right after it was created');
  return made;
}

import { type RawBuilder, sql } from 'kysely';
import type { Micros } from '../micros';
import type { TagCondition } from './binaryFilter';
import type { DataScope } from './dataScope';
import { textOfLines } from './lines';

/** What the series of readings must be like; what is absent or an empty list does not narrow. */
export interface SeriesFilter<Column extends string = SeriesColumn> {
  /** A series has to be in each of them. */
  scopes: readonly DataScope[];
  /** Columns with the values of which a series has to have one. */
  columns: readonly { column: Column; anyOf: readonly string[] }[];
  tags?: TagCondition | undefined;
  /** Lines that all have to be among those of its parameters. */
  parameters?: readonly string[] | undefined;
  /** Bare type names that it must not have. */
  withoutKinds?: readonly string[] | undefined;
}

/** Columns of a series that can be asked for. */
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

/** Which readings an operation is about. */
export interface ReadingSelection {
  series: SeriesFilter;
  /** The first moment of capture, and the first that is too late. */
  start?: Micros | undefined;
  end?: Micros | undefined;
  /** Only what was stored then or later, or earlier. */
  storedFrom?: Micros | undefined;
  storedBefore?: Micros | undefined;
}

/** A condition in SQL. */
export type Condition = RawBuilder<boolean>;

/** The condition that row `s` of `reading_series`, or of another table of series, suits a filter. */
export function suits<Column extends string>(filter: SeriesFilter<Column>): Condition {
  const { scopes, columns, tags, parameters = [], withoutKinds = [] } = filter;
  return all([
    ...scopes.map(inScope),
    ...columns
      .filter(({ anyOf }) => anyOf.length > 0)
      .map(({ column, anyOf }) => isOneOf(column, anyOf)),
    ...(tags === undefined ? [] : [hasTags(tags)]),
    ...parameters.map((line) => hasLine('parameters', line)),
    ...withoutKinds.map((kind) => sql<boolean>`s.component_kind <> ${kind}`),
  ]);
}

/** The ids of the series that suit a filter, as a subselect. */
export function suitingIds(filter: SeriesFilter): RawBuilder<number> {
  return sql`(select s.id from reading_series s where ${suits(filter)})`;
}

/** The condition that a reading is of the time that a selection wants. */
export function inTime(selection: ReadingSelection): Condition {
  const { start, end, storedFrom, storedBefore } = selection;
  return all([
    ...(start === undefined ? [] : [sql<boolean>`requested_at >= ${start}`]),
    ...(end === undefined ? [] : [sql<boolean>`requested_at < ${end}`]),
    ...(storedFrom === undefined ? [] : [sql<boolean>`synced_at >= ${storedFrom}`]),
    ...(storedBefore === undefined ? [] : [sql<boolean>`synced_at < ${storedBefore}`]),
  ]);
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`;
}

function any(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, sql` or `)})`;
}

function isOneOf(column: string, values: readonly string[]): Condition {
  return sql`s.${sql.ref(column)} in (${sql.join(values)})`;
}

function inScope({ organizationIds, locationIds, machines }: DataScope): Condition {
  return any([
    ...(organizationIds.length === 0 ? [] : [isOneOf('organization_id', organizationIds)]),
    ...(locationIds.length === 0 ? [] : [isOneOf('location_id', locationIds)]),
    ...machines.map(({ organizationId, machineId }) =>
      all([isOneOf('organization_id', [organizationId]), isOneOf('robot_id', [machineId])]),
    ),
  ]);
}

function hasTags(condition: TagCondition): Condition {
  if (condition === 'tagged') {
    return sql`s.tags <> ''`;
  }
  if (condition === 'untagged') {
    return sql`s.tags = ''`;
  }
  return any(condition.anyOf.map((tag) => hasLine('tags', JSON.stringify(tag))));
}

// The letters' case counts, which it does not for SQLite's `like`.
function hasLine(column: 'tags' | 'parameters', line: string): Condition {
  const text = sql`s.${sql.ref(column)}`;
  return sql`replace(${text}, ${textOfLines([line])}, '') <> ${text}`;
}

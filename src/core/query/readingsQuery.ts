import { toSqlLiteral } from '../model/sqlTokens';
import type { TagCondition } from '../model/captureFilter';

/** Start time, in milliseconds since 1970, or a number of minutes before the query runs. */
export type Since = { readonly at: number } | { readonly minutesBack: number };

/** Selection of readings for a new query. Absent or empty fields match everything. */
export interface ReadingsSelection {
  /** IDs of locations. For each list of IDs in the selection, a row must match one of the IDs. */
  readonly locations?: readonly string[];
  readonly machines?: readonly string[];
  readonly parts?: readonly string[];
  readonly componentName?: string;
  /** Component type, such as `rdk:component:sensor`, or the type name without its namespace. */
  readonly componentType?: string;
  readonly method?: string;
  readonly tags?: TagCondition | undefined;
  readonly since?: Since | undefined;
  /** End of the time range, exclusive, in milliseconds since 1970. */
  readonly before?: number | undefined;
}

/** Number of rows in a new query, enough for an overview. */
const FIRST_ROWS = 1_000;
const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR;

/**
 * Returns a SELECT for the newest readings in a selection, as a starting point. Adds a lower bound
 * for `time_received`, by default the last day, because the public cloud returns nothing without a
 * lower bound. If the selection specifies only an end time, adds no lower bound.
 * @param notes lines to add above the query as comments
 */
export function readingsQuery(selection: ReadingsSelection, notes: readonly string[] = []): string {
  const { locations = [], machines = [], parts = [], since, before } = selection;
  const { componentName = '', componentType = '', method = '', tags } = selection;
  const conditions = [
    ...toAnyOfCondition('location_id', locations),
    ...toAnyOfCondition('robot_id', machines),
    ...toAnyOfCondition('part_id', parts),
    ...toAnyOfCondition('component_name', nonEmpty(componentName)),
    ...(componentType === '' ? [] : [ofType(componentType)]),
    ...toAnyOfCondition('method_name', nonEmpty(method)),
    ...hasTags(tags),
    ...inTime(since, before),
  ];
  return [
    ...notes.map((note) => `-- ${oneLine(note)}`),
    'SELECT time_received, part_id, component_name, data',
    'FROM readings',
    `WHERE ${conditions.join('\n  AND ')}`,
    'ORDER BY time_received DESC',
    `LIMIT ${String(FIRST_ROWS)}`,
    '',
  ].join('\n');
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function nonEmpty(text: string): readonly string[] {
  return text === '' ? [] : [text];
}

function toAnyOfCondition(column: string, values: readonly string[]): readonly string[] {
  const [first, ...others] = values.map(toSqlLiteral);
  if (first === undefined) return [];
  return [
    others.length === 0
      ? `${column} = ${first}`
      : `${column} IN (${[first, ...others].join(', ')})`,
  ];
}

/**
 * Returns a condition for a component type. A type name without its namespace matches in every
 * namespace. A complete name matches the complete name or the type name.
 */
function ofType(componentType: string): string {
  const colon = componentType.lastIndexOf(':');
  if (colon < 0) return `split_part(component_type, ':', -1) = ${toSqlLiteral(componentType)}`;
  const bare = componentType.slice(colon + 1);
  return `component_type IN (${toSqlLiteral(componentType)}, ${toSqlLiteral(bare)})`;
}

function hasTags(condition: TagCondition | undefined): readonly string[] {
  switch (condition?.kind) {
    case 'anyOf':
      return [`list_has_any(tags, [${condition.tags.map(toSqlLiteral).join(', ')}])`];
    case 'tagged':
      return ['len(tags) > 0'];
    case 'untagged':
      return ['len(tags) = 0'];
    case undefined:
      return [];
  }
}

function inTime(since: Since | undefined, before: number | undefined): readonly string[] {
  const until = before === undefined ? [] : [`time_requested < ${toTimestampLiteral(before)}`];
  if (since === undefined && before !== undefined) return until;
  const from = toStartExpression(since ?? { minutesBack: MINUTES_PER_DAY });
  return since === undefined
    ? [`time_received >= ${from}`]
    : [`time_received >= ${from}`, `time_requested >= ${from}`, ...until];
}

function toStartExpression(since: Since): string {
  if ('at' in since) return toTimestampLiteral(since.at);
  const { minutesBack } = since;
  if (minutesBack % MINUTES_PER_DAY === 0) return back(minutesBack / MINUTES_PER_DAY, 'DAY');
  if (minutesBack % MINUTES_PER_HOUR === 0) return back(minutesBack / MINUTES_PER_HOUR, 'HOUR');
  return back(minutesBack, 'MINUTE');
}

function back(count: number, unit: 'DAY' | 'HOUR' | 'MINUTE'): string {
  return `now() - INTERVAL ${String(count)} ${unit}`;
}

function toTimestampLiteral(milliseconds: number): string {
  return `CAST('${new Date(milliseconds).toISOString()}' AS TIMESTAMP)`;
}

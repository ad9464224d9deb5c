import { type RawBuilder, sql } from 'kysely';
import type { Micros } from '../micros';

/** SQL condition. */
export type Condition = RawBuilder<boolean>;

/** Returns the condition that all conditions are true. */
export function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`;
}

/** Returns the condition that at least one of the conditions is true. */
export function any(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** Returns the condition that a column, such as `s.part_id`, has one of the values. */
export function isOneOf(column: string, values: readonly string[]): Condition {
  // An empty list isn't valid SQL.
  return values.length === 0 ? sql`1 = 0` : sql`${sql.ref(column)} in (${sql.join(values)})`;
}

/** Returns the condition that data was captured from the start on and before the end. */
export function isCapturedBetween({
  start,
  end,
}: {
  readonly start?: Micros | undefined;
  readonly end?: Micros | undefined;
}): Condition {
  return all([
    ...(start === undefined ? [] : [sql<boolean>`requested_at >= ${start}`]),
    ...(end === undefined ? [] : [sql<boolean>`requested_at < ${end}`]),
  ]);
}

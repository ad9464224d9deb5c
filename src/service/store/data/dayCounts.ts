import type { RawBuilder } from 'kysely';
import { type Micros, MICROS_PER_DAY } from '../micros';
import type { StoreAccess } from '../store';

/** Number of items and their total size in bytes. */
export interface Count {
  count: number;
  bytes: number;
}

/** Time range with a start (inclusive) and an end (exclusive). */
export interface Span<T> {
  start?: T | undefined;
  end?: T | undefined;
}

/**
 * Counts data captured in a time range. Counts of whole days are stored, so only data in the
 * partial days at both ends is counted individually.
 * @param ofDays counts data for whole UTC days, numbered from the Unix epoch.
 * @param oneByOne counts data for a partial day.
 */
export async function countByDays(
  { start, end }: Span<Micros>,
  ofDays: (days: Span<number>) => Promise<Count>,
  oneByOne: (span: Span<Micros>) => Promise<Count>,
): Promise<Count> {
  const firstDay = start === undefined ? undefined : toUtcDay(start - 1) + 1;
  const endDay = end === undefined ? undefined : toUtcDay(end);
  if (firstDay !== undefined && endDay !== undefined && firstDay > endDay) {
    return oneByOne({ start, end });
  }
  const counts = [await ofDays({ start: firstDay, end: endDay })];
  if (start !== undefined && firstDay !== undefined) {
    counts.push(await oneByOne({ start, end: startOfDay(firstDay) }));
  }
  if (end !== undefined && endDay !== undefined) {
    counts.push(await oneByOne({ start: startOfDay(endDay), end }));
  }
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * In PostgreSQL, the sum of 64-bit integers is a decimal, which is returned as a string. The sum of
 * no rows is null.
 */
type Sums = Record<keyof Count, number | string | null>;

/** Returns the `count` and `bytes` of a query's only row. */
export async function sums(access: StoreAccess, query: RawBuilder<unknown>): Promise<Count> {
  const { rows } = await (query as RawBuilder<Sums>).execute(access);
  return { count: Number(rows[0]?.count ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}

/** Returns a timestamp's UTC day, in whole days since the Unix epoch. */
export function toUtcDay(micros: Micros): number {
  return Math.floor(micros / MICROS_PER_DAY);
}

/** Returns the start of a UTC day. */
export function startOfDay(day: number): Micros {
  return day * MICROS_PER_DAY;
}

/**
 * Narrows a time range to the part after a page. An index scan then starts at the end of the page
 * rather than at the start of the range.
 * @param after timestamp of the last item on the previous page; absent for the first page.
 */
export function spanAfter(
  { start = -Infinity, end = Infinity }: Span<Micros>,
  oldestFirst: boolean,
  after: Micros | undefined,
): Span<Micros> {
  if (after === undefined) return {};
  return oldestFirst ? { start: Math.max(start, after) } : { end: Math.min(end, after + 1) };
}

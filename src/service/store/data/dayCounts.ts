import type { RawBuilder } from 'kysely';
import type { Micros } from '../micros';
import type { StoreAccess } from '../store';
import { dayOf, startOfDay } from './readingsDays';

/** A number of items, and how many bytes they have. */
export interface Count {
  count: number;
  bytes: number;
}

/** A span of time: the first moment, and the first that is too late. */
export interface Span<T> {
  start?: T | undefined;
  end?: T | undefined;
}

/**
 * Counts what was captured in a span of time. Whole days are counted already, so that only those at
 * the ends are counted one by one.
 * @param ofDays counts whole UTC days, numbered from the Unix epoch.
 * @param oneByOne counts what is in a part of a day.
 */
export async function countByDays(
  { start, end }: Span<Micros>,
  ofDays: (days: Span<number>) => Promise<Count>,
  oneByOne: (span: Span<Micros>) => Promise<Count>,
): Promise<Count> {
  const firstDay = start === undefined ? undefined : dayOf(start - 1) + 1;
  const endDay = end === undefined ? undefined : dayOf(end);
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

/** PostgreSQL adds up 64-bit numbers to a decimal, which arrives as text; nothing adds up to null. */
type Sums = Record<keyof Count, number | string | null>;

/** The `count` and the `bytes` that a query answers in its one row. */
export async function sums(access: StoreAccess, query: RawBuilder<unknown>): Promise<Count> {
  const { rows } = await (query as RawBuilder<Sums>).execute(access);
  return { count: Number(rows[0]?.count ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}

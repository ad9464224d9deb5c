import type { CaptureSource } from '../../model/binaryItem';
import type { Reading } from '../../model/reading';
import { type DataColumn, valueAt } from '../tables/dataColumns';
import { seriesKey } from './seriesKey';

/** Numbers in one column of one resource over time, oldest first. */
export interface ChartSeries {
  readonly column: DataColumn;
  readonly source: CaptureSource;
  /** Times in microseconds since 1970. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** Time range in microseconds since 1970, inclusive. */
export interface ChartSpan {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

interface Collected extends ChartSeries {
  readonly times: number[];
  readonly values: number[];
}

/**
 * Groups the numbers of readings by column and resource. Skips values that are not finite numbers.
 * @param readings in the order of capture, ascending or descending
 */
export function chartSeries(
  readings: readonly Reading[],
  columns: readonly DataColumn[],
  { start = -Infinity, end = Infinity }: ChartSpan = {},
): readonly ChartSeries[] {
  const keys = new WeakMap<CaptureSource, string>();
  const collected = new Map<string, (Collected | undefined)[]>();
  for (const { at, source, data } of readings) {
    if (at < start || at > end) continue;
    const key = keys.get(source) ?? seriesKey(source);
    keys.set(source, key);
    const own = collected.get(key) ?? [];
    if (own.length === 0) collected.set(key, own);
    columns.forEach((column, index) => {
      const value = valueAt(data, column.path);
      if (typeof value !== 'number' || !Number.isFinite(value)) return;
      const series = (own[index] ??= { column, source, times: [], values: [] });
      series.times.push(at);
      series.values.push(value);
    });
  }
  const found = [...collected.values()].flatMap((own) => own.filter((one) => one !== undefined));
  for (const { times, values } of found) {
    if ((times[0] ?? 0) <= (times.at(-1) ?? 0)) continue;
    times.reverse();
    values.reverse();
  }
  return found;
}

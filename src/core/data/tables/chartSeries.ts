import type { CaptureSource } from '../../model/binaryItem';
import type { Reading } from '../../model/reading';
import { type DataColumn, valueAt } from './dataColumns';

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

/**
 * Returns a key that is the same for all readings from one resource and method, and different for
 * all other readings.
 */
export function seriesKey({ partId, componentType, componentName, method }: CaptureSource): string {
  return JSON.stringify([partId, componentType, componentName, method]);
}

/** Points on a line, in order. */
export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/**
 * Downsamples points without changing the appearance of the line: keeps the first and last points,
 * and the minimum and maximum in ranges with equal numbers of points, so that no peak is lost.
 * @returns the original points if there are at most `maxPoints` of them; `maxPoints` must be at least 4.
 */
export function thinOut(points: Points, maxPoints: number): Points {
  const { x, y } = points;
  if (y.length <= maxPoints) return points;
  const selected = new Set([0, y.length - 1]);
  const bucketCount = Math.floor((maxPoints - 2) / 2);
  for (let bucket = 0; bucket < bucketCount; bucket += 1) {
    const start = Math.floor((bucket * y.length) / bucketCount);
    const end = Math.floor(((bucket + 1) * y.length) / bucketCount);
    let [lowest, highest] = [start, start];
    for (let at = start; at < end; at += 1) {
      const value = y[at] ?? 0;
      if (value < (y[lowest] ?? 0)) lowest = at;
      if (value > (y[highest] ?? 0)) highest = at;
    }
    selected.add(lowest).add(highest);
  }
  const indexes = [...selected].sort((a, b) => a - b);
  return { x: indexes.map((at) => x[at] ?? 0), y: indexes.map((at) => y[at] ?? 0) };
}

/** Summary statistics of a series. */
export interface SeriesSummary {
  readonly points: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly first: number;
  readonly last: number;
}

/** Computes the summary of a series with at least one point. */
export function summarizeSeries(values: ArrayLike<number>): SeriesSummary {
  let [least, greatest, mean] = [Infinity, -Infinity, 0];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? NaN;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    // Updates the mean incrementally, because a sum of large numbers would overflow. Dividing each
    // number separately also prevents the difference from overflowing.
    mean += value / (index + 1) - mean / (index + 1);
  }
  return {
    points: values.length,
    least,
    greatest,
    mean,
    first: values[0] ?? NaN,
    last: values[values.length - 1] ?? NaN,
  };
}

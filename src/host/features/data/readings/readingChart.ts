import { chartSeries, type ChartSeries } from '../../../../core/data/readings/chartSeries';
import type { DataColumn } from '../../../../core/data/tables/dataColumns';
import type { ReadingsListing } from '../../../../core/data/readings/readingsListing';
import { summarizeSeries } from '../../../../core/data/tables/seriesSummary';
import { thinOut } from '../../../../core/data/tables/thinOut';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import { MICROS_PER_MILLISECOND } from '../../../../core/model/micros';
import type { ChartLine, ChartRequest, ReadingChart } from '../../../../shared/data/readings';
import { resourceName } from './resourceName';

/** Maximum number of lines that users can distinguish. */
const MAX_LINES = 12;
/**
 * Maximum total number of points of all lines, which exceeds the number of pixels available to draw
 * them.
 */
const MAX_POINTS = 10_000;

/**
 * Returns the chart lines for the loaded numbers. If there are too many lines, returns the lines
 * with the most points.
 */
export function readingChart(
  listing: ReadingsListing,
  columns: readonly DataColumn[],
  { start, end }: Pick<ChartRequest, 'start' | 'end'>,
): ReadingChart {
  const span = { start: toMicros(start), end: toMicros(end) };
  const found = [...chartSeries(listing.read, columns, span)];
  found.sort((a, b) => b.values.length - a.values.length);
  const drawn = found.slice(0, MAX_LINES);
  const most = Math.floor(MAX_POINTS / Math.max(1, drawn.length));
  return {
    lines: drawn.map((series) => toChartLine(series, most)),
    leftOut: found.length - drawn.length,
    read: listing.read.length,
    count: Math.max(listing.count ?? 0, listing.read.length),
    thinned: drawn.some(({ values }) => values.length > most),
  };
}

function toMicros(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds * MICROS_PER_MILLISECOND;
}

function toChartLine(series: ChartSeries, most: number): ChartLine {
  const { x, y } = thinOut({ x: series.times, y: series.values }, most);
  return {
    name: toDisplayText(series.column.name),
    resource: resourceName(series.source),
    ...summarizeSeries(series.values),
    times: Float64Array.from(x, (time) => time / MICROS_PER_MILLISECOND).buffer,
    values: Float64Array.from(y).buffer,
  };
}

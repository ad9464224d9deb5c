import {
  type Points,
  type SeriesSummary,
  summarizeSeries,
  thinOut,
} from '../../../data/tables/chartSeries';
import type { ResultTable } from '../resultTable';
import { isPlain, type ResultViews, type RowsView } from '../resultViews';
import { type AxisKind, type ChartColumns, RowPointCollector } from './rowPointCollector';

/** Maximum number of series that users can distinguish. */
const MAX_SERIES = 12;
/**
 * Maximum total number of points in all series, which exceeds the number of pixels available to
 * draw them.
 */
const MAX_POINTS = 10_000;

/** Parameters of a chart. */
export interface ChartQuestion extends ChartColumns {
  readonly view: RowsView;
  /**
   * True to sum the numbers in a series that have the same `x`, because a single bar represents
   * them.
   */
  readonly addsUp?: boolean | undefined;
}

/**
 * Series with statistics for all of its points, including points that are not drawn. If numbers are
 * summed, contains statistics for the sums.
 */
export interface DrawnSeries extends SeriesSummary {
  readonly name: string;
  /** Points in ascending order of `x`; times are milliseconds since 1970. */
  readonly drawn: Points;
}

export interface DrawnChart {
  readonly xKind: AxisKind;
  /** Labels, if the values of `x` represent strings; otherwise empty. */
  readonly labels: readonly string[];
  /** Series that are drawn, which are the series with the most points. */
  readonly series: readonly DrawnSeries[];
  /** Number of series that are not drawn. */
  readonly leftOut: number;
  /** True if the points are downsampled. */
  readonly thinned: boolean;
  /** Number of rows in the view. */
  readonly rows: number;
  /** Total number of values in all series. */
  readonly numbers: number;
  /** True if some values were summed. */
  readonly addedUp: boolean;
}

/** Computes the chart of a view's rows. @throws the signal's reason when it aborts. */
export async function resultChart(
  table: ResultTable,
  views: ResultViews,
  question: ChartQuestion,
  signal: AbortSignal,
): Promise<DrawnChart> {
  const points = new RowPointCollector(table, question);
  const getRowPosition = await createRowLocator(table, views, question.view, signal);
  let rows = 0;
  for await (const { bytes, first, starts } of table.store.readChunks(0, undefined, signal)) {
    starts.forEach((start, index) => {
      const position = getRowPosition(first + index);
      if (position < 0) return;
      rows += 1;
      points.add(bytes, start, position);
    });
  }
  return { ...(await drawn(points, question.addsUp === true, signal)), rows };
}

async function drawn(
  points: RowPointCollector,
  addsUp: boolean,
  signal: AbortSignal,
): Promise<Omit<DrawnChart, 'rows'>> {
  const { all, xKind } = points;
  const shown = all.slice(0, MAX_SERIES);
  const maxPoints = Math.floor(MAX_POINTS / Math.max(1, shown.length));
  const { labels, getPosition } = points.labels.inOrder();
  const series: DrawnSeries[] = [];
  for (const one of shown) {
    const ordered = await one.inOrder(signal, xKind === 'text' ? getPosition : undefined);
    const own = addsUp ? addedUp(ordered) : ordered;
    series.push({ name: one.name, ...summarizeSeries(own.y), drawn: thinOut(own, maxPoints) });
  }
  const numbers = shown.reduce((sum, { count }) => sum + count, 0);
  return {
    xKind,
    labels,
    series,
    numbers,
    leftOut: all.length - shown.length + points.notCollected,
    thinned: series.some(({ points: count }) => count > maxPoints),
    addedUp: series.reduce((sum, { points: count }) => sum + count, 0) < numbers,
  };
}

/**
 * Creates a function that returns a row's position in the view, or -1 for rows that are not in the
 * view. Computes all positions in advance, because files are read from start to end.
 */
async function createRowLocator(
  table: ResultTable,
  views: ResultViews,
  view: RowsView,
  signal: AbortSignal,
): Promise<(row: number) => number> {
  if (isPlain(view)) return (row) => row;
  const { count } = table.store;
  const order = await views.toRowIndexes(view, 0, count, signal);
  const positions = new Int32Array(count).fill(-1);
  order.forEach((row, position) => (positions[row] = position));
  return (row) => positions[row] ?? -1;
}

/**
 * Combines points with the same `x` into one point with the sum of their values. @param points in
 * ascending order of `x`
 */
function addedUp({ x, y }: Points): Points {
  const positions: number[] = [];
  const sums: number[] = [];
  for (let at = 0; at < x.length; at += 1) {
    const position = x[at] ?? 0;
    if (positions.at(-1) === position) {
      sums[sums.length - 1] = finite((sums.at(-1) ?? 0) + (y[at] ?? 0));
    } else {
      positions.push(position);
      sums.push(y[at] ?? 0);
    }
  }
  return { x: positions, y: sums };
}

/** Clamps a sum to the range of finite numbers. */
function finite(sum: number): number {
  return Math.min(Math.max(sum, -Number.MAX_VALUE), Number.MAX_VALUE);
}

import { type SeriesSummary, summaryOf } from '../../../data/tables/seriesSummary';
import { type Points, thinOut } from '../../../data/tables/thinOut';
import type { ResultTable } from '../resultTable';
import { isPlain, type ResultViews, type RowsView } from '../resultViews';
import { addedUp } from './addedUp';
import { type AxisKind, type ChartColumns, PointsOfRows } from './pointsOfRows';

/** As many as one tells apart. */
const MOST_SERIES = 12;
/** More than there are pixels to draw them on, for all series together. */
const MOST_POINTS = 10_000;

/** What to draw. */
export interface ChartQuestion extends ChartColumns {
  readonly view: RowsView;
  /** Numbers of a series at the same place are added up, as one bar stands for them. */
  readonly addsUp?: boolean | undefined;
}

/** A series with what its points come to, also those that are not drawn; sums where numbers are added up. */
export interface DrawnSeries extends SeriesSummary {
  readonly name: string;
  /** By `x` in rising order; times are milliseconds since 1970. */
  readonly drawn: Points;
}

export interface DrawnChart {
  readonly xKind: AxisKind;
  /** What the numbers on `x` stand for when they are texts. */
  readonly labels: readonly string[];
  /** Those with most points. */
  readonly series: readonly DrawnSeries[];
  /** How many there are besides. */
  readonly leftOut: number;
  /** Whether fewer points are drawn than there are. */
  readonly thinned: boolean;
  /** How many rows of the view it is of. */
  readonly rows: number;
  /** How many numbers of rows the series have. */
  readonly numbers: number;
  /** Whether some of them were added up. */
  readonly addedUp: boolean;
}

/** Draws the rows of a view. @throws the signal's reason when it is aborted. */
export async function resultChart(
  table: ResultTable,
  views: ResultViews,
  question: ChartQuestion,
  signal: AbortSignal,
): Promise<DrawnChart> {
  const points = new PointsOfRows(table, question);
  const placeIn = await placesOf(table, views, question.view, signal);
  let rows = 0;
  for await (const { bytes, first, starts } of table.store.stretches(0, undefined, signal)) {
    starts.forEach((start, index) => {
      const place = placeIn(first + index);
      if (place < 0) return;
      rows += 1;
      points.add(bytes, start, place);
    });
  }
  return { ...(await drawn(points, question.addsUp === true, signal)), rows };
}

async function drawn(
  points: PointsOfRows,
  addsUp: boolean,
  signal: AbortSignal,
): Promise<Omit<DrawnChart, 'rows'>> {
  const { all, xKind } = points;
  const shown = all.slice(0, MOST_SERIES);
  const most = Math.floor(MOST_POINTS / Math.max(1, shown.length));
  const { labels, placeOf } = points.labels.inOrder();
  const series: DrawnSeries[] = [];
  for (const one of shown) {
    const ordered = await one.inOrder(signal, xKind === 'text' ? placeOf : undefined);
    const own = addsUp ? addedUp(ordered) : ordered;
    series.push({ name: one.name, ...summaryOf(own.y), drawn: thinOut(own, most) });
  }
  const numbers = shown.reduce((sum, { count }) => sum + count, 0);
  return {
    ...{ xKind, labels, series, numbers },
    leftOut: all.length - shown.length + points.notCollected,
    thinned: series.some(({ points: count }) => count > most),
    addedUp: series.reduce((sum, { points: count }) => sum + count, 0) < numbers,
  };
}

/** Where rows are in the view; -1 for those that are not in it. Files are read from the start to the end. */
async function placesOf(
  table: ResultTable,
  views: ResultViews,
  view: RowsView,
  signal: AbortSignal,
): Promise<(row: number) => number> {
  if (isPlain(view)) return (row) => row;
  const { count } = table.store;
  const order = await views.places(view, 0, count, signal);
  const places = new Int32Array(count).fill(-1);
  order.forEach((row, place) => (places[row] = place));
  return (row) => places[row] ?? -1;
}

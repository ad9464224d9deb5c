import type { ChartKind, ResultChart } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import type { FormatTime } from '../ui/exactTime';
import { fillPlaceholders } from '../ui/fillPlaceholders';

/** Largest date in milliseconds since 1970. */
const LAST_DATE = 8.64e15;

/** A chart with information about the rows that it shows. */
export interface NotedChart {
  readonly chart: ResultChart;
  readonly kind: ChartKind;
  /** Number of rows that have arrived; the chart shows some of them. */
  readonly among: number;
  /** True if all rows of the query have arrived. */
  readonly isWhole: boolean;
}

/** Formatters for x values. */
interface AcrossTexts {
  readonly number: (value: number) => string;
  /** Formats a time in UTC, as the axis does. */
  readonly time: FormatTime;
}

/** Describes what a chart shows. */
export function describeChart(
  { chart, kind, among, isWhole }: NotedChart,
  /** x values that have points, in ascending order. */
  xValues: readonly number[],
  labels: ResultStrings['chart'],
  texts: AcrossTexts,
): string {
  const { series, rows, numbers, thinned, leftOut } = chart;
  const { number } = texts;
  const points = series.reduce((sum, one) => sum + one.points, 0);
  const [first, last] = [xValues[0], xValues.at(-1)];
  const notes: string[] = [];
  if (points === 0 || first === undefined || last === undefined) notes.push(labels.noData);
  else if (kind === 'bar') {
    const bars = points === 1 ? labels.oneBar : labels.bars;
    notes.push(fillPlaceholders(bars, ...[points, numbers, rows].map(number)));
  } else {
    const ends = [first, last].map((at) => formatXValue(at, chart, texts));
    notes.push(fillPlaceholders(labels.points, number(points), number(rows), ...ends));
  }
  if (chart.addedUp) notes.push(labels.addedUp);
  if (rows < among) notes.push(fillPlaceholders(labels.part, number(rows), number(among)));
  if (!isWhole) notes.push(labels.unfinished);
  if (thinned) notes.push(labels.thinned);
  if (leftOut > 0) notes.push(fillPlaceholders(labels.leftOut, number(leftOut)));
  return notes.join(' · ');
}

/** Returns the text for an x value. */
export function formatXValue(
  at: number,
  { xKind, labels }: Pick<ResultChart, 'xKind' | 'labels'>,
  { number, time }: AcrossTexts,
): string {
  if (xKind === 'text') return labels[at] ?? '';
  return xKind === 'time' && Math.abs(at) <= LAST_DATE ? time(at) : number(at);
}

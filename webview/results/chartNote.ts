import type { ChartKind, ResultChart } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { AmountText } from './amountText';

/** Milliseconds since 1970 that dates go up to. */
const LAST_DATE = 8.64e15;

/** A chart, and of which rows it is. */
export interface NotedChart {
  readonly chart: ResultChart;
  readonly kind: ChartKind;
  /** How many rows came, of which it shows some. */
  readonly among: number;
  /** No more rows come, and all that there are came. */
  readonly isWhole: boolean;
}

/** What a chart shows, in words. */
export function noteOf(
  { chart, kind, among, isWhole }: NotedChart,
  /** Where across it has points, in rising order. */
  places: readonly number[],
  words: ResultStrings['chart'],
  amounts: AmountText,
): string {
  const { series, xKind, labels, rows, numbers, thinned, leftOut } = chart;
  const points = series.reduce((sum, one) => sum + one.points, 0);
  const [first, last] = [places[0], places.at(-1)];
  const number = (value: number): string => amounts.number(value);
  const notes: string[] = [];
  if (points === 0 || first === undefined || last === undefined) notes.push(words.nothing);
  else if (kind === 'bar') {
    const bars = points === 1 ? words.oneBar : words.bars;
    notes.push(fillPlaceholders(bars, ...[points, numbers, rows].map(number)));
  } else {
    const across = (at: number): string => acrossText(at, xKind, labels, number);
    const texts = [number(points), number(rows), across(first), across(last)];
    notes.push(fillPlaceholders(words.points, ...texts));
  }
  if (chart.addedUp) notes.push(words.addedUp);
  if (rows < among) notes.push(fillPlaceholders(words.part, number(rows), number(among)));
  if (!isWhole) notes.push(words.unfinished);
  if (thinned) notes.push(words.thinned);
  if (leftOut > 0) notes.push(fillPlaceholders(words.leftOut, number(leftOut)));
  return notes.join(' · ');
}

/** What a number across stands for. */
export function acrossText(
  at: number,
  kind: ResultChart['xKind'],
  labels: readonly string[],
  number: (value: number) => string,
): string {
  if (kind === 'text') return labels[at] ?? '';
  if (kind === 'time' && Math.abs(at) <= LAST_DATE) return new Date(at).toISOString();
  return number(at);
}

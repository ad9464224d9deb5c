import type { ChartKind, ResultChart } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { AmountText } from './amountText';
import type { DrawableChart } from './drawableChart';

/** Milliseconds since 1970 that dates go up to. */
const LAST_DATE = 8.64e15;

interface NotedChart extends DrawableChart {
  readonly kind: ChartKind;
  /** How many rows it is of. */
  readonly rows: number;
  readonly places: readonly number[];
}

/** What a chart shows, in words. */
export function noteOf(
  { chart, isShared, kind, rows, places }: NotedChart,
  words: ResultStrings['chart'],
  amounts: AmountText,
): string {
  const { series, xKind, labels, thinned, leftOut } = chart;
  const points = series.reduce((sum, one) => sum + one.points, 0);
  const [first, last] = [places[0], places.at(-1)];
  const number = (value: number): string => amounts.number(value);
  const notes: string[] = [];
  if (points === 0 || first === undefined || last === undefined) notes.push(words.nothing);
  else if (kind === 'bar') notes.push(fillPlaceholders(words.bars, number(points), number(rows)));
  else {
    const across = (at: number): string => acrossText(at, xKind, labels, number);
    const texts = [number(points), number(rows), across(first), across(last)];
    notes.push(fillPlaceholders(words.points, ...texts));
  }
  if (isShared) notes.push(words.shared);
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

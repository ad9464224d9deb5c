import { addTime, isTimeUnit, type TimeUnit } from '../../dateArithmetic';
import { stageError, type Stage } from '../../stage';
import { compareValues } from '../../compareValues';
import type { Document } from '../../document';
import type { SortKey } from '../../sortKeys';
import { requireDocument } from '../stageCompiler';

/** Sorted documents of one partition. */
export interface SortedPartition {
  documents: readonly Document[];
  /** The first sort field's values; empty if the documents aren't sorted. */
  sortValues: readonly unknown[];
}

/** Range of positions within a partition. `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Yields the span of each document's window, in order. Neither end of the span ever moves backward.
 */
export type WindowSpans = (partition: SortedPartition) => Iterable<Span>;

type Bound = number | 'current' | 'unbounded';

/**
 * Parses a field's window: by positions (`documents`) or by values (`range`).
 * @throws JobError InvalidArgument for bounds that MongoDB doesn't accept.
 */
export function parseWindow(
  stage: Stage,
  name: string,
  spec: unknown,
  sort: readonly SortKey[],
): WindowSpans {
  const fail = (message: string): never => {
    throw stageError(stage, `the window of ${name} ${message}`, { path: ['output', name] });
  };
  if (spec === undefined) return wholePartition;
  const window = requireDocument(stage, spec, `the window of ${name}`);
  const { documents, range, unit } = window;
  const unknown = Object.keys(window).find((key) => !['documents', 'range', 'unit'].includes(key));
  if (unknown !== undefined || (documents === undefined) === (range === undefined)) {
    return fail('must have either documents or range, and a unit only with range');
  }
  const bounds = parseBounds(documents ?? range);
  if (bounds === undefined) {
    return fail('needs a lower and an upper bound: a number, "current", or "unbounded"');
  }
  const [lower, upper] = bounds;
  const isWhole = lower === 'unbounded' && upper === 'unbounded';
  if (documents !== undefined) {
    if (unit !== undefined || !bounds.every((bound) => isPosition(bound))) {
      return fail('counts documents in whole numbers and has no unit');
    }
    if (!isWhole && sort.length === 0) return fail('needs sortBy');
    return isWhole ? wholePartition : documentSpans(lower, upper);
  }
  const [key, ...others] = sort;
  if (key === undefined || others.length > 0 || key.descending) {
    return fail('has a range, which needs sortBy with one ascending field');
  }
  if (unit !== undefined && !isTimeUnit(unit)) {
    return fail('must have a unit of time, such as "hour"');
  }
  if (unit !== undefined && !bounds.every((bound) => isPosition(bound))) {
    return fail('has a unit, which needs whole numbers as bounds');
  }
  return rangeSpans(stage, name, [lower, upper], unit);
}

function parseBounds(value: unknown): [Bound, Bound] | undefined {
  const [lower, upper, ...others] = Array.isArray(value) ? (value as unknown[]) : [];
  if (!isBound(lower) || !isBound(upper) || others.length > 0) return undefined;
  const isAscending = toNumber(lower, -Infinity) <= toNumber(upper, Infinity);
  return isAscending ? [lower, upper] : undefined;
}

function isBound(value: unknown): value is Bound {
  return value === 'current' || value === 'unbounded' || Number.isFinite(value);
}

function isPosition(bound: Bound): boolean {
  return typeof bound === 'string' || Number.isSafeInteger(bound);
}

function toNumber(bound: Bound, unbounded: number): number {
  return bound === 'unbounded' ? unbounded : bound === 'current' ? 0 : bound;
}

function* wholePartition({ documents }: SortedPartition): Generator<Span, void> {
  const span = { from: 0, to: documents.length };
  for (const _ of documents) {
    yield span;
  }
}

function documentSpans(lower: Bound, upper: Bound): WindowSpans {
  const [before, after] = [toNumber(lower, -Infinity), toNumber(upper, Infinity)];
  return function* ({ documents: { length } }) {
    const within = (position: number): number => Math.min(Math.max(position, 0), length);
    for (let index = 0; index < length; index++) {
      const from = within(index + before);
      yield { from, to: Math.max(from, within(index + after + 1)) };
    }
  };
}

/**
 * Yields spans of values. Each span ranges from the current value plus the lower bound to the
 * current value plus the upper bound.
 */
function rangeSpans(
  stage: Stage,
  name: string,
  [lower, upper]: readonly [Bound, Bound],
  unit: TimeUnit | undefined,
): WindowSpans {
  const check = (value: unknown): number | Date => {
    if (unit === undefined ? typeof value === 'number' : value instanceof Date) {
      return value as number | Date;
    }
    const message =
      'has a range, which needs dates if a unit is given, and numbers otherwise, in every document';
    throw stageError(stage, `the window of ${name} ${message}`, { path: ['output', name] });
  };
  const shift = (value: number | Date, amount: number): number | Date =>
    typeof value === 'number' || unit === undefined
      ? Number(value) + amount
      : addTime(value, amount, unit);
  return function* ({ sortValues }) {
    const values = sortValues.map(check);
    let [from, to] = [0, 0];
    for (const [index, value] of values.entries()) {
      if (lower === 'current') {
        from = index;
      } else if (lower !== 'unbounded') {
        const least = shift(value, lower);
        while (from < values.length && compareValues(values[from], least) < 0) {
          from++;
        }
      }
      if (upper === 'unbounded') {
        to = values.length;
      } else if (upper === 'current') {
        to = index + 1;
      } else {
        const most = shift(value, upper);
        while (to < values.length && compareValues(values[to], most) <= 0) {
          to++;
        }
      }
      yield { from, to: Math.max(from, to) };
    }
  };
}

import { formatPlainValue, getCellKind } from './formatCell';
import {
  compareExactly,
  type DataValue,
  type ExactNumber,
  isExactNumber,
  nearestNumber,
  toPreciseMilliseconds,
} from './dataValue';

/** Kinds of values, in sort order. */
const KIND_ORDER = ['number', 'time', 'text', 'boolean', 'json', 'binary'] as const;
const KINDS = [...KIND_ORDER, 'null'] as const;

/** Maximum number of characters of a string that are compared. */
const MAX_KEY_LENGTH = 200;

/** Keys of one kind and their row indexes. */
class Bucket {
  readonly indexes: number[] = [];
  readonly keys: number[] = [];
  /** Exact values, by index, of numbers whose key is only an approximation. */
  readonly exact = new Map<number, ExactNumber | bigint>();

  add(index: number, key: number, value: DataValue): void {
    const isExact = typeof value === 'bigint' || isExactNumber(value);
    if (isExact && Number.isFinite(key)) this.exact.set(this.keys.length, value);
    this.indexes.push(index);
    this.keys.push(key);
  }

  /** Compares numbers whose keys are equal. */
  compareEqual(a: number, b: number): number {
    const [left, right] = [this.exact.get(a), this.exact.get(b)];
    if (left === undefined && right === undefined) return 0;
    const [x, y] = [left ?? this.keys[a] ?? 0, right ?? this.keys[b] ?? 0];
    const isFraction = [x, y].some((one) => typeof one === 'number' && !Number.isInteger(one));
    // The key for a double with a fraction is exact.
    return isFraction ? 0 : compareExactly(x, y);
  }
}

/**
 * Sort keys of rows, added one after the other. Sorts numbers by value, times chronologically, and
 * strings in natural order (`arm-2` before `arm-10`). Nulls, followed by rows without a value, come
 * last in both directions. The sort is stable.
 */
export class SortKeys {
  private readonly buckets = Object.fromEntries(
    KINDS.map((kind) => [kind, new Bucket()]),
  ) as Record<(typeof KINDS)[number], Bucket>;
  private readonly without: number[] = [];
  private readonly texts = new Map<string, number>();
  private count = 0;

  /** Adds the key of the next row; undefined for a row without a value. */
  add(value: DataValue | undefined): void {
    const index = this.count;
    this.count += 1;
    if (value === undefined) this.without.push(index);
    else this.buckets[getCellKind(value)].add(index, this.keyTo(value), value);
  }

  /** Sorts the row indexes, in steps. */
  *order(descending: boolean): Generator<void, Uint32Array, void> {
    const ranks = yield* this.ranks();
    const ordered = new Uint32Array(this.count);
    let at = 0;
    const kinds = descending ? KIND_ORDER.toReversed() : KIND_ORDER;
    for (const kind of [...kinds, 'null'] as const) {
      const bucket = this.buckets[kind];
      const { indexes, keys } = bucket;
      const hasRanks = kind === 'text' || kind === 'json' || kind === 'binary';
      const sorted = hasRanks ? keys.map((id) => ranks[id] ?? 0) : keys;
      const direction = descending ? -1 : 1;
      // Compare instead of subtracting, because the difference of infinities would be NaN.
      const compare = (a: number, b: number): number => {
        const [left, right] = [sorted[a] ?? 0, sorted[b] ?? 0];
        if (left === right) return direction * bucket.compareEqual(a, b);
        return left < right ? -direction : direction;
      };
      for (const index of yield* stableOrder(indexes.length, compare)) {
        ordered[at] = indexes[index] ?? 0;
        at += 1;
      }
    }
    ordered.set(this.without, at);
    return ordered;
  }

  private keyTo(value: DataValue): number {
    if (typeof value === 'number') return Number.isNaN(value) ? Infinity : value;
    if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
    if (value === null) return 0;
    if (value instanceof Date) return toPreciseMilliseconds(value);
    if (isExactNumber(value)) return this.keyTo(nearestNumber(value));
    return this.getTextId(formatPlainValue(value).slice(0, MAX_KEY_LENGTH));
  }

  /** Returns the same ID for identical strings. */
  private getTextId(text: string): number {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, this.texts.size);
    return this.texts.size - 1;
  }

  /**
   * Returns the ranks of all distinct strings by ID. Ranks each string once, regardless of the
   * number of rows that contain it.
   */
  private *ranks(): Generator<void, Uint32Array, void> {
    const texts = [...this.texts.keys()];
    const { compare } = new Intl.Collator('en', { numeric: true });
    const order = yield* stableOrder(texts.length, (a, b) =>
      compare(texts[a] ?? '', texts[b] ?? ''),
    );
    const ranks = new Uint32Array(texts.length);
    let rank = 0;
    for (let at = 0; at < order.length; at += 1) {
      const [before, id] = [order[at - 1], order[at] ?? 0];
      if (before !== undefined && compare(texts[before] ?? '', texts[id] ?? '') !== 0) rank += 1;
      ranks[id] = rank;
    }
    return ranks;
  }
}

/** Size of the runs that are sorted with insertion sort. */
const RUN = 16;
/** Number of comparisons between two steps. */
const STEP = 4_096;

/**
 * Sorts the indexes starting at 0 with a comparison function. The sort is stable. A step ends after
 * a few thousand comparisons, so that other work can run while many indexes are sorted.
 */
export function* stableOrder(
  count: number,
  compare: (a: number, b: number) => number,
): Generator<void, Uint32Array, void> {
  let from = new Uint32Array(count);
  for (let item = 0; item < count; item += 1) from[item] = item;
  let work = 0;
  for (let start = 0; start < count; start += RUN) {
    sortRun(from, start, Math.min(start + RUN, count), compare);
    if ((work += RUN) % STEP === 0) yield;
  }
  let to = new Uint32Array(count);
  for (let width = RUN; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      yield* mergeRuns(from, to, { start, middle, end: Math.min(middle + width, count) }, compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

function sortRun(
  items: Uint32Array,
  start: number,
  end: number,
  compare: (a: number, b: number) => number,
): void {
  for (let index = start + 1; index < end; index += 1) {
    const item = items[index] ?? 0;
    let at = index;
    for (; at > start && compare(items[at - 1] ?? 0, item) > 0; at -= 1) {
      items[at] = items[at - 1] ?? 0;
    }
    items[at] = item;
  }
}

interface Runs {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

function* mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: Runs,
  compare: (a: number, b: number) => number,
): Generator<void, void, void> {
  const isInOrder = middle >= end || compare(from[middle - 1] ?? 0, from[middle] ?? 0) <= 0;
  if (isInOrder) {
    to.set(from.subarray(start, end), start);
    yield;
    return;
  }
  let [left, right] = [start, middle];
  for (let at = start; at < end; at += 1) {
    const [a, b] = [from[left] ?? 0, from[right] ?? 0];
    const takesLeft = left < middle && (right >= end || compare(a, b) <= 0);
    to[at] = takesLeft ? a : b;
    if (takesLeft) left += 1;
    else right += 1;
    if (at % STEP === 0) yield;
  }
}

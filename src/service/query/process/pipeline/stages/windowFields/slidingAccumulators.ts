import type { Expressions } from '../../expressions';
import { compareValues } from '../../compareValues';
import { isNullish } from '../../document';
import { createAccumulator, type GroupField } from '../accumulators';
import type { SortedPartition, Span } from './windowBounds';

/** Accumulator that adds values when they enter a window and removes them when they leave it. */
interface SlidingAccumulator {
  add: (value: unknown) => void;
  /** Removes the oldest value. */
  remove: (value: unknown) => void;
  value: () => unknown;
}

const SLIDING: Readonly<Record<string, () => SlidingAccumulator>> = {
  $sum: () => {
    const sum = new SlidingSum();
    return { add: sum.add, remove: sum.remove, value: () => sum.value };
  },
  $avg: () => {
    const sum = new SlidingSum();
    const value = (): number | null => (sum.count === 0 ? null : sum.value / sum.count);
    return { add: sum.add, remove: sum.remove, value };
  },
  $count: () => {
    let count = 0;
    return { add: () => count++, remove: () => count--, value: () => count };
  },
  $min: () => slidingExtreme((order) => order < 0),
  $max: () => slidingExtreme((order) => order > 0),
};

/**
 * Returns the value of an accumulator for each document's window. The cost of sums, averages,
 * counts, minimums, and maximums doesn't depend on the length of the windows. Other accumulators
 * are recomputed whenever the start of the window moves.
 */
export function accumulateWindows(
  { documents }: SortedPartition,
  spans: Iterable<Span>,
  field: GroupField,
  expressions: Expressions,
): unknown[] {
  const { operator, operand } = field;
  if (Object.hasOwn(SLIDING, operator)) {
    const values = documents.map((document) => expressions.compute(document, operand));
    return slide(values, spans, operator);
  }
  const results: unknown[] = [];
  let accumulator = createAccumulator(field, expressions);
  let current: Span = { from: 0, to: 0 };
  let result: unknown;
  for (const { from, to } of spans) {
    if (results.length === 0 || from !== current.from || to !== current.to) {
      let next = current.to;
      if (from !== current.from) {
        accumulator = createAccumulator(field, expressions);
        next = from;
      }
      for (; next < to; next++) {
        accumulator.add(documents[next] ?? {});
      }
      const value = accumulator.value();
      // Copies the array, because it continues to grow and must not change earlier results.
      result = Array.isArray(value) ? [...(value as unknown[])] : value;
      current = { from, to };
    }
    results.push(result);
  }
  return results;
}

/** Returns the value of `$sum`, `$avg`, `$count`, `$min`, or `$max` over each span of values. */
export function slide(
  values: readonly unknown[],
  spans: Iterable<Span>,
  operator: string,
): unknown[] {
  const accumulator = SLIDING[operator]?.();
  if (accumulator === undefined) throw new Error(`no sliding accumulator: ${operator}`);
  const results: unknown[] = [];
  let [start, end] = [0, 0];
  for (const { from, to } of spans) {
    for (; end < to; end++) {
      accumulator.add(values[end]);
    }
    for (; start < from; start++) {
      accumulator.remove(values[start]);
    }
    results.push(accumulator.value());
  }
  return results;
}

/**
 * Sum with twice the precision of a double, which prevents rounding errors when a value is removed.
 */
class SlidingSum {
  private high = 0;
  private low = 0;
  private finite = 0;
  /** Number of NaN values and of infinities, which can't be subtracted from a sum. */
  private readonly special = new Map<number, number>();
  count = 0;

  get value(): number {
    const special = [...this.special].flatMap(([value, count]) => (count > 0 ? [value] : []));
    return special.reduce((sum, value) => sum + value, this.high + this.low);
  }

  readonly add = (value: unknown): void => this.change(value, 1);
  readonly remove = (value: unknown): void => this.change(value, -1);

  private change(value: unknown, sign: 1 | -1): void {
    if (typeof value !== 'number') return;
    this.count += sign;
    if (!Number.isFinite(value)) {
      this.special.set(value, (this.special.get(value) ?? 0) + sign);
      return;
    }
    this.finite += sign;
    if (this.finite === 0) {
      [this.high, this.low] = [0, 0];
      return;
    }
    const term = sign * value;
    const sum = this.high + term;
    const part = sum - this.high;
    // Adds the exact rounding error of this addition (Knuth's two-sum).
    this.low += this.high - (sum - part) + (term - part);
    const high = sum + this.low;
    this.low -= high - sum;
    this.high = high;
  }
}

/** Stores only the values that can still become the minimum or maximum (a monotonic queue). */
function slidingExtreme(isBetter: (order: number) => boolean): SlidingAccumulator {
  let queue: { position: number; value: unknown }[] = [];
  let head = 0;
  let [added, removed] = [0, 0];
  return {
    add: (value) => {
      const position = added++;
      if (isNullish(value)) return;
      while (queue.length > head && isBetter(compareValues(value, queue.at(-1)?.value))) {
        queue.pop();
      }
      queue.push({ position, value });
    },
    remove: () => {
      removed++;
      while (head < queue.length && (queue[head]?.position ?? 0) < removed) {
        head++;
      }
      if (head > 1000 && head * 2 > queue.length) {
        queue = queue.slice(head);
        head = 0;
      }
    },
    value: () => queue[head]?.value ?? null,
  };
}

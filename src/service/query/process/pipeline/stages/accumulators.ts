import type { Expressions } from '../expressions';
import { compareValues, toGroupKey } from '../compareValues';
import { type Document, isNullish } from '../document';

/** Field in a group: its accumulator and its input. */
export interface GroupField {
  name: string;
  operator: string;
  operand: unknown;
}

/** Accumulator for a value over the documents in a group. */
export interface Accumulator {
  add: (document: Document) => void;
  value: () => unknown;
}

/**
 * Returns the accumulator for a field in a group. Accumulators that don't need the documents don't
 * store them.
 */
export function createAccumulator(
  { operator, operand }: GroupField,
  expressions: Expressions,
): Accumulator {
  const gather = GATHERERS[operator];
  if (gather === undefined) {
    const documents: Document[] = [];
    return {
      add: (document) => documents.push(document),
      value: () => expressions.accumulate(operator, documents, operand) ?? null,
    };
  }
  const { take, value } = gather();
  return { add: (document) => take(expressions.compute(document, operand)), value };
}

interface Gatherer {
  take: (value: unknown) => void;
  value: () => unknown;
}

/**
 * Accumulators that follow MongoDB's rules: only numbers are summed, and missing and null values
 * are never the minimum or maximum.
 */
const GATHERERS: Readonly<Record<string, () => Gatherer>> = {
  $sum: () => {
    let sum = 0;
    return { take: (value) => (sum += typeof value === 'number' ? value : 0), value: () => sum };
  },
  $avg: () => {
    let [sum, count] = [0, 0];
    return {
      take: (value) => {
        if (typeof value === 'number') {
          sum += value;
          count++;
        }
      },
      value: () => (count === 0 ? null : sum / count),
    };
  },
  $count: () => {
    let count = 0;
    return { take: () => count++, value: () => count };
  },
  $stdDevPop: () => standardDeviation(0),
  $stdDevSamp: () => standardDeviation(1),
  $min: () => best((order) => order < 0),
  $max: () => best((order) => order > 0),
  $first: () => {
    let first: { value: unknown } | undefined;
    return {
      take: (value) => (first ??= { value }),
      value: () => first?.value ?? null,
    };
  },
  $last: () => {
    let last: unknown;
    return { take: (value) => (last = value), value: () => last ?? null };
  },
  $push: () => {
    const values: unknown[] = [];
    return {
      take: (value) => {
        if (value !== undefined) values.push(value);
      },
      value: () => values,
    };
  },
  $addToSet: () => {
    const values = new Map<string, unknown>();
    return {
      take: (value) => {
        if (value !== undefined) values.set(toGroupKey(value), value);
      },
      value: () => [...values.values()],
    };
  },
};

/**
 * Computes the standard deviation with Welford's algorithm.
 * @param bias 1 for a sample, whose deviation requires at least two numbers
 */
function standardDeviation(bias: 0 | 1): Gatherer {
  let [count, mean, squares] = [0, 0, 0];
  return {
    take: (value) => {
      if (typeof value === 'number') {
        count++;
        const distance = value - mean;
        mean += distance / count;
        squares += distance * (value - mean);
      }
    },
    value: () => (count <= bias ? null : Math.sqrt(squares / (count - bias))),
  };
}

function best(isBetter: (order: number) => boolean): Gatherer {
  let found: unknown = null;
  return {
    take: (value) => {
      if (!isNullish(value) && (found === null || isBetter(compareValues(value, found)))) {
        found = value;
      }
    },
    value: () => found,
  };
}

import { compareValues, toGroupKey } from './compareValues';
import { type Document, isDocument, isNullish } from './document';

/** Accumulator for values, without documents. */
export interface Gatherer {
  take: (value: unknown) => void;
  value: () => unknown;
}

/**
 * Accumulators that follow MongoDB's rules: only numbers are summed, and missing and null values
 * are never the minimum or maximum.
 */
export const GATHERERS: Readonly<Record<string, () => Gatherer>> = {
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
  $mergeObjects: () => {
    const merged = new Map<string, unknown>();
    return {
      take: (value) => {
        if (isNullish(value)) return;
        if (!isDocument(value)) throw new TypeError('$mergeObjects needs documents');
        for (const [name, member] of Object.entries(value)) merged.set(name, member);
      },
      // The same accumulator returns a result for each window.
      value: () => Object.fromEntries(merged),
    };
  },
  $median: () => {
    const { take, value } = ranking();
    return {
      take: (operand) => take({ ...(operand as Document), p: [0.5] }),
      value: () => value()[0] ?? null,
    };
  },
  $percentile: () => ranking(),
  $firstN: () =>
    selectN((values, value, n) => {
      if (values.length < n) values.push(value);
    }),
  $lastN: () =>
    selectN((values, value, n) => {
      values.push(value);
      if (values.length > n) values.shift();
    }),
  $minN: () => bestN(1),
  $maxN: () => bestN(-1),
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

/** Operand of `$percentile`: `{"input": "$field", "p": [0.5], "method": "approximate"}`. */
function ranking(): Pick<Gatherer, 'take'> & { value: () => (number | null)[] } {
  const values: unknown[] = [];
  let [p, method]: unknown[] = [[]];
  return {
    take: (operand) => {
      const { input, ...options } = operand as Document;
      values.push(input);
      ({ p, method } = options);
    },
    value: () => percentiles(values, p, method),
  };
}

/** Number of values beyond twice the result that are stored before they are sorted. */
const UNSORTED = 1_000;

/** Operand of `$minN` and `$maxN`: `{"n": 3, "input": "$field"}`. */
function bestN(direction: 1 | -1): Gatherer {
  let found: unknown[] = [];
  let count = 1;
  return {
    take: (operand) => {
      const { n, input } = operand as Document;
      count = requireCount(n);
      found.push(input);
      if (found.length > 2 * count + UNSORTED) found = bestValues(found, count, direction);
    },
    value: () => bestValues(found, count, direction),
  };
}

/** Unlike `$minN` and `$maxN`, includes null, also for missing values. */
function selectN(add: (values: unknown[], value: unknown, n: number) => void): Gatherer {
  const values: unknown[] = [];
  return {
    take: (operand) => {
      const { n, input } = operand as Document;
      add(values, input ?? null, requireCount(n));
    },
    value: () => values,
  };
}

/** Returns the first values in MongoDB's order or in its reverse, without null and missing ones. */
export function bestValues(values: readonly unknown[], n: number, direction: 1 | -1): unknown[] {
  return values
    .filter((value) => !isNullish(value))
    .toSorted((left, right) => direction * compareValues(left, right))
    .slice(0, n);
}

/** @throws TypeError for a value that isn't a positive whole number. */
export function requireCount(n: unknown, name = 'n'): number {
  if (!Number.isInteger(n) || Number(n) < 1) {
    throw new TypeError(`${name} must be a positive whole number`);
  }
  return Number(n);
}

/**
 * Returns percentiles of the numbers among the values: for each share, the smallest number that is not
 * less than this share of them. Like MongoDB with few values, exactly.
 */
export function percentiles(
  values: readonly unknown[],
  shares: unknown,
  method: unknown,
): (number | null)[] {
  if (method !== 'approximate') throw new TypeError("method must be 'approximate'");
  const numbers = values.filter((value) => typeof value === 'number' && !Number.isNaN(value));
  const sorted = (numbers as number[]).sort((left, right) => left - right);
  if (!Array.isArray(shares) || shares.length === 0) throw new TypeError('p must be an array');
  return shares.map((share: unknown) => {
    if (typeof share !== 'number' || !(share >= 0 && share <= 1)) {
      throw new TypeError('p must contain numbers from 0 to 1');
    }
    return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
  });
}

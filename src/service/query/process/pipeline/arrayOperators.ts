import type { Options } from 'mingo/types';
import { compareValues } from './compareValues';
import { type Document, isDocument, isNullish } from './document';
import { evaluate } from './evaluate';
import { bestValues, GATHERERS, percentiles, requireCount } from './gatherers';
import { evaluateList, evaluateNamed, type ExpressionOperators, type Operator } from './operands';
import { requireArray } from './setOperators';
import { parseSortKeys, sortDocuments } from './sortKeys';
import { isTrue } from './truth';

/** Operators on arrays that behave differently in mingo than in MongoDB. */
export const arrayOperators: Readonly<ExpressionOperators> = {
  $first: selecting('$first', 0),
  $last: selecting('$last', -1),
  $sum: gathering('$sum'),
  $avg: gathering('$avg'),
  $min: gathering('$min'),
  $max: gathering('$max'),
  $stdDevPop: gathering('$stdDevPop'),
  $stdDevSamp: gathering('$stdDevSamp'),
  $minN: selectingBest('$minN', 1),
  $maxN: selectingBest('$maxN', -1),
  $median: ranking('$median'),
  $percentile: ranking('$percentile'),
  $size: countElements,
  $isArray: (document, operand, options) => Array.isArray(evaluate(document, operand, options)),
  $allElementsTrue: (...operands) => elements('$allElementsTrue', operands).every(isTrue),
  $anyElementTrue: (...operands) => elements('$anyElementTrue', operands).some(isTrue),
  $sortArray: sortArray,
  $firstN: selectingSome('$firstN', (elements, n) => elements.slice(0, n)),
  $lastN: selectingSome('$lastN', (elements, n) => elements.slice(-n)),
  $arrayElemAt: (...operands) => {
    const [list, index] = evaluateList('$arrayElemAt', operands, [2, 2]);
    if (isNullish(list) || isNullish(index)) return null;
    return requireArray('$arrayElemAt', list).at(requireInt('$arrayElemAt', index));
  },
  $concatArrays: (...operands) => {
    const lists = evaluateList('$concatArrays', operands, [0, Infinity]);
    if (lists.some(isNullish)) return null;
    return lists.flatMap((list) => requireArray('$concatArrays', list));
  },
  $in: (...operands) => {
    const [value, list] = evaluateList('$in', operands, [2, 2]);
    return requireArray('$in', list).some((element) => isSame(element, value));
  },
  $indexOfArray: (...operands) => {
    const [list, value, start = 0, end = Infinity] = evaluateList(
      '$indexOfArray',
      operands,
      [2, 4],
    );
    if (isNullish(list)) return null;
    const elements = requireArray('$indexOfArray', list);
    const from = requirePosition('$indexOfArray', start);
    const to = end === Infinity ? elements.length : requirePosition('$indexOfArray', end);
    const index = elements.slice(from, to).findIndex((element) => isSame(element, value));
    return index === -1 ? -1 : from + index;
  },
  $range: (...operands) => {
    const values = evaluateList('$range', operands, [2, 3]);
    const [start = 0, end = 0, step = 1] = values.map((value) => requireInt('$range', value));
    if (step === 0) throw new RangeError('the step of $range must not be 0');
    const count = Math.max(0, Math.ceil((end - start) / step));
    if (count > MAX_RANGE_LENGTH) throw new RangeError('$range: the array would be too large');
    return Array.from({ length: count }, (_, index) => start + index * step);
  },
  $slice: (...operands) => {
    const values = evaluateList('$slice', operands, [2, 3]);
    if (values.some(isNullish)) return null;
    const [list, ...limits] = values;
    const elements = requireArray('$slice', list);
    const [first = 0, count] = limits.map((limit) => requireInt('$slice', limit));
    if (count === undefined) return first < 0 ? elements.slice(first) : elements.slice(0, first);
    if (count < 1) throw new RangeError('the count of $slice must be positive');
    const from = first < 0 ? Math.max(0, elements.length + first) : first;
    return elements.slice(from, from + count);
  },
  $zip: zipArrays,
};

/** Operands of operators that select several elements. */
const N = ['n', 'input'];

/** MongoDB limits the array to 100 MB. */
const MAX_RANGE_LENGTH = 5_000_000;

function isSame(element: unknown, value: unknown): boolean {
  return value !== undefined && compareValues(element, value) === 0;
}

function requireInt(name: string, value: unknown): number {
  if (!Number.isInteger(value) || Number(value) !== (Number(value) | 0)) {
    throw new TypeError(`${name} needs whole numbers with at most 32 bits`);
  }
  return Number(value);
}

function requirePosition(name: string, value: unknown): number {
  if (requireInt(name, value) < 0) throw new RangeError(`${name}: a position must not be negative`);
  return Number(value);
}

function selectingSome(
  name: '$firstN' | '$lastN',
  select: (elements: readonly unknown[], n: number) => unknown[],
): Operator {
  return (...operands) => {
    const { n, input } = evaluateNamed(name, operands, { known: N, required: N });
    return isNullish(input) ? null : select(requireArray(name, input), requireCount(n));
  };
}

/** Defaults are only for arrays that are too short: null in an array remains null. */
function zipArrays(...operands: Parameters<Operator>): unknown {
  const values = evaluateNamed('$zip', operands, {
    known: ['inputs', 'useLongestLength', 'defaults'],
    required: ['inputs'],
  });
  const { inputs, useLongestLength = false, defaults } = values;
  if (typeof useLongestLength !== 'boolean') {
    throw new TypeError('$zip: useLongestLength must be true or false');
  }
  if (!isNullish(defaults) && !useLongestLength) {
    throw new TypeError('$zip: defaults need useLongestLength');
  }
  if (isNullish(inputs)) return null;
  const lists = requireArray('$zip', inputs);
  if (lists.length === 0) throw new TypeError('$zip needs at least one array');
  if (lists.some(isNullish)) return null;
  const arrays = lists.map((list) => requireArray('$zip', list));
  const fallbacks = isNullish(defaults) ? arrays.map(() => null) : requireArray('$zip', defaults);
  if (fallbacks.length !== arrays.length) {
    throw new TypeError('$zip: defaults must have one value for each array');
  }
  const lengths = arrays.map(({ length }) => length);
  const length = useLongestLength ? Math.max(...lengths) : Math.min(...lengths);
  return Array.from({ length }, (_, index) =>
    arrays.map((array, listIndex) => (index < array.length ? array[index] : fallbacks[listIndex])),
  );
}

function elements(name: string, [document, operand, options]: Parameters<Operator>): unknown[] {
  return requireArray(name, evaluate(document, operand, options));
}

/**
 * Returns an operator for an element of an array. The result is missing if the array is empty.
 * Unlike mingo's implementation, doesn't flatten the array.
 */
function selecting(name: string, index: 0 | -1): Operator {
  return (document, operand, options) => {
    const value: unknown = evaluate(document, operand, options);
    if (isNullish(value)) return null;
    return requireArray(name, value).at(index);
  };
}

type ValueAccumulator = '$sum' | '$avg' | '$min' | '$max' | '$stdDevPop' | '$stdDevSamp';

/**
 * Returns an accumulator as an operator over its operands, or over the elements of its only operand
 * if that is an array.
 */
function gathering(name: ValueAccumulator): Operator {
  return (document, operand, options) => {
    const operands: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
    const values = operands.map((one): unknown => evaluate(document, one, options));
    const [only] = values;
    const gatherer = GATHERERS[name]?.();
    const elements = values.length === 1 && Array.isArray(only) ? (only as unknown[]) : values;
    for (const value of elements) gatherer?.take(value);
    return gatherer?.value();
  };
}

function selectingBest(name: '$minN' | '$maxN', direction: 1 | -1): Operator {
  return (...operands) => {
    const { n, input } = evaluateNamed(name, operands, { known: N, required: N });
    return isNullish(input)
      ? null
      : bestValues(requireArray(name, input), requireCount(n), direction);
  };
}

function countElements(document: Document, operand: unknown, options: Options): number {
  const value: unknown = evaluate(document, operand, options);
  if (!Array.isArray(value)) {
    throw new TypeError('$size needs an array; use $ifNull for documents without one');
  }
  return value.length;
}

/** Sorts whole elements, or documents by fields. */
function sortArray(document: Document, operand: unknown, options: Options): unknown {
  if (!isDocument(operand)) throw new TypeError('$sortArray must have input and sortBy');
  const { sortBy } = operand;
  const input: unknown = evaluate(document, operand.input, options);
  if (isNullish(input)) return null;
  const elements = requireArray('$sortArray', input);
  if (sortBy === 1 || sortBy === -1) {
    return elements.toSorted((left, right) => sortBy * compareValues(left, right));
  }
  // Only documents have the fields.
  const wrapped = elements.map((element) => ({ element }));
  const keys = parseSortKeys(sortBy, 'sortBy of $sortArray').map(({ path, descending }) => ({
    path: ['element', ...path],
    descending,
  }));
  return sortDocuments(wrapped, keys).map(({ element }) => element);
}

/** Returns an operator for percentiles of the numbers in an array. */
function ranking(name: '$median' | '$percentile'): Operator {
  return (document, operand, options) => {
    const { input, p, method } = evaluate(document, operand, options) as Document;
    const values = Array.isArray(input) ? (input as unknown[]) : [input];
    return name === '$median'
      ? percentiles(values, [0.5], method)[0]
      : percentiles(values, p, method);
  };
}

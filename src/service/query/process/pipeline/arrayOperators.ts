import { evalExpr } from 'mingo/core';
import * as accumulators from 'mingo/operators/accumulator';
import * as expressions from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { compareValues } from './compareValues';
import { type Document, isDocument, isNullish } from './document';
import { bestValues, GATHERERS, percentiles, requireCount } from './gatherers';
import { type ExpressionOperators, isGroup, type Operator } from './operands';
import { parseSortKeys, sortDocuments } from './sortKeys';

/** Operators on arrays that behave differently in mingo than in MongoDB. */
export const arrayOperators: Readonly<ExpressionOperators> = {
  $first: selecting(0, expressions.$first),
  $last: selecting(-1, expressions.$last),
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
  $isArray: (document, operand, options) => Array.isArray(evalExpr(document, operand, options)),
  $allElementsTrue: (...operands) => elements('$allElementsTrue', operands).every(isTrue),
  $anyElementTrue: (...operands) => elements('$anyElementTrue', operands).some(isTrue),
  $sortArray: sortArray,
};

/** Only false, 0, null, and missing values are false. In contrast, mingo includes empty strings. */
export function isTrue(value: unknown): boolean {
  return !isNullish(value) && value !== false && value !== 0;
}

function elements(name: string, [document, operand, options]: Parameters<Operator>): unknown[] {
  const value: unknown = evalExpr(document, operand, options);
  if (!Array.isArray(value)) throw new TypeError(`${name} needs an array`);
  return value;
}

/**
 * Returns an operator for an element of an array. The result is missing if the array is empty.
 * Unlike mingo's implementation, doesn't flatten the array.
 * @param accumulator mingo's implementation, which mingo's stages also run on groups of documents
 */
function selecting(index: 0 | -1, accumulator: Operator): Operator {
  return (document, operand, options) => {
    if (isGroup(document)) return accumulator(document, operand, options);
    const value: unknown = evalExpr(document, operand, options);
    if (isNullish(value)) return null;
    if (!Array.isArray(value)) throw new TypeError('$first and $last need an array');
    return (value as unknown[]).at(index);
  };
}

type ValueAccumulator = '$sum' | '$avg' | '$min' | '$max' | '$stdDevPop' | '$stdDevSamp';

/**
 * Returns an accumulator as an operator over its operands, or over the elements of its only operand
 * if that is an array. mingo's stages also run it on groups of documents.
 */
function gathering(name: ValueAccumulator): Operator {
  return (document, operand, options) => {
    if (isGroup(document)) return accumulators[name](document, operand, options);
    const operands: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
    const values = operands.map((one): unknown => evalExpr(document, one, options));
    const [only] = values;
    const gatherer = GATHERERS[name]?.();
    const elements = values.length === 1 && Array.isArray(only) ? (only as unknown[]) : values;
    for (const value of elements) gatherer?.take(value);
    return gatherer?.value();
  };
}

function selectingBest(name: '$minN' | '$maxN', direction: 1 | -1): Operator {
  return (document, operand, options) => {
    if (isGroup(document)) return accumulators[name](document, operand as never, options);
    const { n, input } = evalExpr(document, operand, options) as Document;
    if (isNullish(input)) return null;
    if (!Array.isArray(input)) throw new TypeError(`${name} needs an array`);
    return bestValues(input, requireCount(n), direction);
  };
}

function countElements(document: Document, operand: unknown, options: Options): number {
  const value: unknown = evalExpr(document, operand, options);
  if (!Array.isArray(value)) {
    throw new TypeError('$size needs an array; use $ifNull for documents without one');
  }
  return value.length;
}

/** Sorts whole elements, or documents by fields. */
function sortArray(document: Document, operand: unknown, options: Options): unknown {
  if (!isDocument(operand)) throw new TypeError('$sortArray must have input and sortBy');
  const { sortBy } = operand;
  const input: unknown = evalExpr(document, operand.input, options);
  if (isNullish(input)) return null;
  if (!Array.isArray(input)) throw new TypeError('$sortArray needs an array');
  const elements: readonly unknown[] = input;
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
    if (isGroup(document)) return accumulators[name](document, operand as never, options);
    const { input, p, method } = evalExpr(document, operand, options) as Document;
    const values = Array.isArray(input) ? (input as unknown[]) : [input];
    return name === '$median'
      ? percentiles(values, [0.5], method)[0]
      : percentiles(values, p, method);
  };
}

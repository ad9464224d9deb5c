import { getOwn } from '../../../../base/getOwn';
import { evalExpr } from 'mingo/core';
import * as accumulators from 'mingo/operators/accumulator';
import * as expressions from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { compareValues } from './compareValues';
import { type Document, isDocument, isNullish } from './document';
import { bestValues, GATHERERS, requireCount } from './gatherers';
import { parseSortKeys, sortDocuments } from './sortKeys';

type Operator = (document: Document, operand: unknown, options: Options) => unknown;
type ExpressionOperators = Record<`$${string}`, Operator>;

/**
 * Replacements for the operators of expressions that behave differently in mingo than in MongoDB.
 * Date operators are separate.
 */
export const expressionOperators: Readonly<ExpressionOperators> = {
  $cmp: comparing((order) => Math.sign(order)),
  $eq: comparing((order) => order === 0),
  $ne: comparing((order) => order !== 0),
  $lt: comparing((order) => order < 0),
  $lte: comparing((order) => order <= 0),
  $gt: comparing((order) => order > 0),
  $gte: comparing((order) => order >= 0),
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
  $size: countElements,
  $sortArray: sortArray,
  $getField: getField,
  $not: negate,
  $type: computeType,
};

/**
 * Returns a comparison that uses MongoDB's order across all types: missing values come first,
 * followed by null, numbers, and strings. In mingo, values of different types are neither less nor
 * greater than each other.
 */
function comparing(answer: (order: number) => unknown): Operator {
  return (document, operands, options) => {
    const values: unknown = evalExpr(document, operands, options);
    if (!Array.isArray(values) || values.length !== 2) {
      throw new TypeError('a comparison needs two operands');
    }
    const [left, right] = values as unknown[];
    const missing = Number(right === undefined) - Number(left === undefined);
    return answer(missing === 0 ? compareValues(left, right) : missing);
  };
}

/**
 * Returns an operator for an element of an array. The result is missing if the array is empty.
 * Unlike mingo's implementation, doesn't flatten the array.
 * @param accumulator mingo's implementation, which mingo's stages also run on groups of documents
 */
function selecting(index: 0 | -1, accumulator: Operator): Operator {
  return (document, operand, options) => {
    if (Array.isArray(document)) return accumulator(document, operand, options);
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
    if (Array.isArray(document)) return accumulators[name](document, operand, options);
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
    if (Array.isArray(document)) return accumulators[name](document, operand as never, options);
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

/** Only false, 0, null, and missing values are false. In contrast, mingo includes empty strings. */
function negate(document: Document, operand: unknown, options: Options): boolean {
  const value: unknown = evalExpr(document, operand, options);
  return isNullish(value) || value === false || value === 0;
}

/** Operators with one operand, which can be enclosed in an array: `{"$abs": ["$n"]}`. */
const UNARY = (
  '$abs $acos $acosh $allElementsTrue $anyElementTrue $arrayToObject $asin $asinh $atan $atanh ' +
  '$bitNot $ceil $cos $cosh $degreesToRadians $exp $first $floor $isArray $isNumber $last $ln ' +
  '$log10 $not $objectToArray $radiansToDegrees $reverseArray $sin $sinh $size $sqrt $strLenBytes ' +
  '$strLenCP $tan $tanh $toBool $toDate $toDecimal $toDouble $toInt $toLong $toLower $toString ' +
  '$toUpper $type'
).split(' ');

/** Operators with a list of operands, of which one can stand alone: `{"$round": "$n"}`. */
const VARIADIC = (
  '$add $and $bitAnd $bitOr $bitXor $concat $concatArrays $mergeObjects $multiply $or $round ' +
  '$setIntersection $setUnion $trunc'
).split(' ');

/**
 * Returns the operators with MongoDB's rule for a single operand: with and without an array around it,
 * it means the same.
 */
export function withOperands(operators: Readonly<Record<string, unknown>>): ExpressionOperators {
  const changed = Object.entries(operators).map(([name, value]): [string, Operator] => {
    const operator = value as Operator;
    if (UNARY.includes(name)) return [name, withOneOperand(name, operator)];
    if (!VARIADIC.includes(name)) return [name, operator];
    const vary: Operator = (document, operand, options) =>
      // mingo's stages call accumulators with groups of documents.
      operator(
        document,
        Array.isArray(operand) || Array.isArray(document) ? operand : [operand],
        options,
      );
    return [name, vary];
  });
  return Object.fromEntries(changed);
}

function withOneOperand(name: string, operator: Operator): Operator {
  return (document, operand, options) => {
    if (!Array.isArray(operand) || Array.isArray(document)) {
      return operator(document, operand, options);
    }
    if (operand.length !== 1) throw new TypeError(`${name} needs one operand`);
    return operator(document, operand[0], options);
  };
}

/**
 * Returns a field. Unlike mingo's implementation, excludes the built-in properties of JavaScript
 * objects.
 */
function getField(document: unknown, argument: unknown, options: Options): unknown {
  const value: unknown = evalExpr(document, argument, options);
  const isShort = !isDocument(argument) || !('field' in argument);
  const { field, input } = isShort ? { field: value, input: document } : (value as Document);
  const target = isShort || !('input' in argument) ? document : input;
  if (typeof field !== 'string') {
    throw new TypeError('$getField: the name of the field must be a string');
  }
  return isDocument(target) ? getOwn(target, field) : undefined;
}

const WHOLE: readonly unknown[] = ['int', 'long'];
const OF_READING = /^\$(?:\$(?:ROOT|CURRENT)\.)?data\./;

/** Returns the type of a value, with the same rules as in conditions: numbers are doubles. */
function computeType(document: Document, operand: unknown, options: Options): unknown {
  const type: unknown = expressions.$type(document, operand, options);
  const isReadingField = typeof operand === 'string' && OF_READING.test(operand);
  return isReadingField && WHOLE.includes(type) ? 'double' : type;
}

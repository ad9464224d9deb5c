import { getOwn } from '../../../../base/getOwn';
import { evalExpr } from 'mingo/core';
import { $first, $last } from 'mingo/operators/expression/array';
import { $type } from 'mingo/operators/expression/type';
import type { Options } from 'mingo/types';
import { compareValues } from './compareValues';
import { type Document, isDocument, isNullish } from './document';

type Operator = (document: Document, operand: unknown, options: Options) => unknown;

/**
 * Replacements for the operators of expressions that behave differently in mingo than in MongoDB.
 * Date operators are separate.
 */
export const expressionOperators: Readonly<Record<`$${string}`, Operator>> = {
  $cmp: comparing((order) => Math.sign(order)),
  $eq: comparing((order) => order === 0),
  $ne: comparing((order) => order !== 0),
  $lt: comparing((order) => order < 0),
  $lte: comparing((order) => order <= 0),
  $gt: comparing((order) => order > 0),
  $gte: comparing((order) => order >= 0),
  $first: selecting(0, $first),
  $last: selecting(-1, $last),
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
    const value: unknown = evalExpr(document, requireSingle(operand), options);
    if (isNullish(value)) return null;
    if (!Array.isArray(value)) throw new TypeError('$first and $last need an array');
    return (value as unknown[]).at(index);
  };
}

/** Only false, 0, null, and missing values are false. In contrast, mingo includes empty strings. */
function negate(document: Document, operand: unknown, options: Options): boolean {
  const value: unknown = evalExpr(document, requireSingle(operand), options);
  return isNullish(value) || value === false || value === 0;
}

/** Returns the only operand, which can be enclosed in an array. */
function requireSingle(operand: unknown): unknown {
  if (!Array.isArray(operand)) return operand;
  if (operand.length !== 1) throw new TypeError('$first, $last, and $not need one operand');
  return (operand as unknown[])[0];
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
  const type: unknown = $type(document, operand, options);
  const isReadingField = typeof operand === 'string' && OF_READING.test(operand);
  return isReadingField && WHOLE.includes(type) ? 'double' : type;
}

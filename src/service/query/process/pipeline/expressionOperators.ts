import { getOwn } from '../../../../base/getOwn';
import { evalExpr } from 'mingo/core';
import * as expressions from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { arrayOperators, isTrue } from './arrayOperators';
import { compareValues } from './compareValues';
import { type Document, isDocument } from './document';
import { numberOperators } from './numberOperators';
import type { ExpressionOperators, Operator } from './operands';
import { textOperators } from './textOperators';

/**
 * Replacements for the operators of expressions that behave differently in mingo than in MongoDB.
 * Operators on dates and conversions are separate.
 */
export const expressionOperators: Readonly<ExpressionOperators> = {
  $cmp: comparing((order) => Math.sign(order)),
  $eq: comparing((order) => order === 0),
  $ne: comparing((order) => order !== 0),
  $lt: comparing((order) => order < 0),
  $lte: comparing((order) => order <= 0),
  $gt: comparing((order) => order > 0),
  $gte: comparing((order) => order >= 0),
  ...arrayOperators,
  ...numberOperators,
  ...textOperators,
  $getField: getField,
  $not: (document, operand, options) => !isTrue(evalExpr(document, operand, options)),
  $switch: selectBranch,
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

/** Unlike mingo's implementation, rejects a document for which no branch and no default exists. */
function selectBranch(document: Document, operand: unknown, options: Options): unknown {
  const { branches, ...rest } = isDocument(operand) ? operand : {};
  if (!Array.isArray(branches) || branches.length === 0 || !branches.every(isDocument)) {
    throw new TypeError('$switch must have branches');
  }
  const branch = branches.find((one) => isTrue(evalExpr(document, one.case, options)));
  if (branch) return evalExpr(document, branch.then, options);
  if (!('default' in rest)) {
    throw new TypeError('$switch has no branch for a value; add a default');
  }
  return evalExpr(document, rest.default, options);
}

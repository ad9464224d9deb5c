import * as expressions from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { arrayOperators } from './arrayOperators';
import { compareValues } from './compareValues';
import { type Document, isDocument, isNullish } from './document';
import { evaluate } from './evaluate';
import { numberOperators } from './numberOperators';
import { objectOperators } from './objectOperators';
import { type ExpressionOperators, type Operator, requireNamed } from './operands';
import { scopeOperators } from './scopeOperators';
import { setOperators } from './setOperators';
import { textOperators } from './textOperators';
import { isTrue } from './truth';

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
  ...objectOperators,
  ...scopeOperators,
  ...setOperators,
  $and: (document, operand, options) =>
    requireList('$and', operand).every((one) => isTrue(evaluate(document, one, options))),
  $or: (document, operand, options) =>
    requireList('$or', operand).some((one) => isTrue(evaluate(document, one, options))),
  $cond: selectByCondition,
  $ifNull: replaceNull,
  $not: (document, operand, options) => !isTrue(evaluate(document, operand, options)),
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
    if (!Array.isArray(operands) || operands.length !== 2) {
      throw new TypeError('a comparison needs two operands');
    }
    const [left, right] = operands.map((one: unknown): unknown => evaluate(document, one, options));
    const missing = Number(right === undefined) - Number(left === undefined);
    return answer(missing === 0 ? compareValues(left, right) : missing);
  };
}

const WHOLE: readonly unknown[] = ['int', 'long'];
const OF_READING = /^\$(?:\$(?:ROOT|CURRENT)\.)?data\./;

/** Returns the type of a value, with the same rules as in conditions: numbers are doubles. */
function computeType(document: Document, operand: unknown, options: Options): unknown {
  const type: unknown = expressions.$type(
    document,
    { $literal: evaluate(document, operand, options) },
    options,
  );
  const isReadingField = typeof operand === 'string' && OF_READING.test(operand);
  return isReadingField && WHOLE.includes(type) ? 'double' : type;
}

/** Unlike mingo's implementation, rejects a document for which no branch and no default exists. */
function selectBranch(document: Document, operand: unknown, options: Options): unknown {
  const { branches, ...rest } = isDocument(operand) ? operand : {};
  if (!Array.isArray(branches) || branches.length === 0 || !branches.every(isDocument)) {
    throw new TypeError('$switch must have branches');
  }
  if (!branches.every((one) => 'case' in one && 'then' in one)) {
    throw new TypeError('a branch of $switch must have case and then');
  }
  const branch = branches.find((one) => isTrue(evaluate(document, one.case, options)));
  if (branch) return evaluate(document, branch.then, options);
  if (!('default' in rest)) {
    throw new TypeError('$switch has no branch for a value; add a default');
  }
  return evaluate(document, rest.default, options);
}

function requireList(name: string, operand: unknown): unknown[] {
  if (!Array.isArray(operand)) throw new TypeError(`${name} needs a list of operands`);
  return operand;
}

const BRANCHES = ['if', 'then', 'else'];

/** Unlike mingo's implementation, rejects an operator without `else`. */
function selectByCondition(document: Document, operand: unknown, options: Options): unknown {
  if (Array.isArray(operand) && operand.length !== BRANCHES.length) {
    throw new TypeError('$cond needs three operands');
  }
  const branches: Document = Array.isArray(operand)
    ? { if: operand[0] as unknown, then: operand[1] as unknown, else: operand[2] as unknown }
    : requireNamed('$cond', operand, { known: BRANCHES, required: BRANCHES });
  const isMet = isTrue(evaluate(document, branches.if, options));
  return evaluate(document, isMet ? branches.then : branches.else, options);
}

function replaceNull(document: Document, operand: unknown, options: Options): unknown {
  const expressions = requireList('$ifNull', operand);
  if (expressions.length < 2) throw new TypeError('$ifNull needs at least two operands');
  let value: unknown;
  for (const one of expressions) {
    value = evaluate(document, one, options);
    if (!isNullish(value)) return value;
  }
  return value;
}

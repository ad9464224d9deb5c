import type { Options } from 'mingo/types';
import type { Document } from './document';
import { evaluate, evaluateMembers, isLiteralDocument } from './evaluate';

/** Evaluates an operator of an expression. */
export type Operator = (document: Document, operand: unknown, options: Options) => unknown;
export type ExpressionOperators = Record<`$${string}`, Operator>;

/** Operators with one operand, which can be enclosed in an array: `{"$abs": ["$n"]}`. */
const UNARY = (
  '$abs $acos $acosh $allElementsTrue $anyElementTrue $arrayToObject $asin $asinh $atan $atanh ' +
  '$binarySize $bitNot $ceil $cos $cosh $degreesToRadians $exp $first $floor $isArray ' +
  '$isNumber $last $ln $log10 $not $objectToArray $radiansToDegrees $reverseArray $sin $sinh $size ' +
  '$sqrt $strLenBytes $strLenCP $tan $tanh $toBool $toDate $toDecimal $toDouble $toInt $toLong ' +
  '$toLower $toString $toUpper $type'
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
    return [name, VARIADIC.includes(name) ? withList(operator) : operator];
  });
  return Object.fromEntries(changed);
}

function withOneOperand(name: string, operator: Operator): Operator {
  return (document, operand, options) => {
    if (!Array.isArray(operand)) return operator(document, operand, options);
    if (operand.length !== 1) throw new TypeError(`${name} needs one operand`);
    return operator(document, operand[0], options);
  };
}

function withList(operator: Operator): Operator {
  return (document, operand, options) =>
    operator(document, Array.isArray(operand) ? operand : [operand], options);
}

/**
 * Returns mingo's operators with operands that are already evaluated, because mingo's own evaluation
 * differs from MongoDB's.
 */
export function withEvaluatedOperands(
  operators: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed = Object.entries(operators).map(([name, value]): [string, unknown] => {
    const operator = value as Operator;
    if (name === '$literal') return [name, operator];
    const wrapped: Operator = (document, operand, options) =>
      operator(document, toLiterals(document, operand, options), options);
    return [name, wrapped];
  });
  return Object.fromEntries(changed);
}

function toLiterals(document: Document, operand: unknown, options: Options): unknown {
  if (Array.isArray(operand)) {
    return operand.map((item: unknown) => ({ $literal: evaluate(document, item, options) }));
  }
  if (!isLiteralDocument(operand)) return { $literal: evaluate(document, operand, options) };
  const members = Object.entries(evaluateMembers(document, operand, options));
  return Object.fromEntries(members.map(([name, value]) => [name, { $literal: value }]));
}

/**
 * Evaluates a list of operands.
 * @throws TypeError if there are fewer or more operands
 */
export function evaluateList(
  name: string,
  [document, operand, options]: Parameters<Operator>,
  [min, max]: readonly [min: number, max: number],
): unknown[] {
  const count = Array.isArray(operand) ? operand.length : 1;
  if (!Array.isArray(operand) || count < min || count > max) {
    const expected = min === max ? String(min) : `${String(min)} to ${String(max)}`;
    throw new TypeError(`${name} needs ${expected} ${max === 1 ? 'operand' : 'operands'}`);
  }
  return operand.map((one: unknown): unknown => evaluate(document, one, options));
}

/**
 * Checks the names of operands such as `{"input": "$list"}`.
 * @throws TypeError for unknown and missing operands
 */
export function requireNamed(
  name: string,
  operand: unknown,
  { known, required }: { known: readonly string[]; required: readonly string[] },
): Document {
  if (!isLiteralDocument(operand)) throw new TypeError(`${name} must have ${required.join(', ')}`);
  const unknown = Object.keys(operand).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new TypeError(`${name} must not have ${unknown}`);
  const missing = required.find((key) => !Object.hasOwn(operand, key));
  if (missing !== undefined) throw new TypeError(`${name} must have ${missing}`);
  return operand;
}

/** Evaluates named operands. Missing values are undefined. */
export function evaluateNamed(
  name: string,
  [document, operand, options]: Parameters<Operator>,
  names: Parameters<typeof requireNamed>[2],
): Document {
  return evaluateMembers(document, requireNamed(name, operand, names), options);
}

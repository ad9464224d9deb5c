import * as queries from 'mingo/operators/query';
import type { Options } from 'mingo/types';
import { compareValues, isSameType, toGroupKey } from './compareValues';
import { type Document, isArrayIndex, isDocument } from './document';

type Condition = (document: Document) => boolean;
type ConditionOperator = (selector: string, operand: unknown, options: Options) => Condition;
/** Tests one value at a path. A missing value is undefined. */
type ValueTest = (value: unknown) => boolean;

const equal = testing((operand) => (value) => compareValues(value, operand) === 0);
const included = testing(createInclusionTest);

/**
 * Replacements for the operators of `$match` that behave differently in mingo than in MongoDB, for
 * example for null, for missing values, and for arrays.
 */
export const conditionOperators: Readonly<Record<`$${string}`, ConditionOperator>> = {
  $eq: equal,
  $ne: negating(equal),
  $in: included,
  $nin: negating(included),
  $lt: testing((operand) => createRangeTest(operand, (order) => order < 0)),
  $lte: testing((operand) => createRangeTest(operand, (order) => order <= 0)),
  $gt: testing((operand) => createRangeTest(operand, (order) => order > 0)),
  $gte: testing((operand) => createRangeTest(operand, (order) => order >= 0)),
  $mod: testing(createRemainderTest),
  $all: matchAll,
  $type: matchType,
};

/** Returns an operator that is met if any value at the path passes the test. */
function testing(createTest: (operand: unknown) => ValueTest): ConditionOperator {
  return (selector, operand) => {
    const path = selector.split('.');
    const test = createTest(operand);
    return (document) => hasValue(document, path, test);
  };
}

function negating(operator: ConditionOperator): ConditionOperator {
  return (selector, operand, options) => {
    const isMet = operator(selector, operand, options);
    return (document) => !isMet(document);
  };
}

/**
 * Returns true if any value at a path passes the test. The values of an array are the array itself
 * and its elements. Along the path, the values are in the documents of an array, but not in arrays
 * within it.
 */
function hasValue(value: unknown, path: readonly string[], test: ValueTest, depth = 0): boolean {
  const name = path[depth];
  if (name === undefined) {
    return test(value) || (Array.isArray(value) && value.some((element) => test(element)));
  }
  if (Array.isArray(value)) {
    const index = isArrayIndex(name) ? Number(name) : value.length;
    return (
      (index < value.length && hasValue(value[index], path, test, depth + 1)) ||
      value.some((element) => isDocument(element) && hasValue(element, path, test, depth))
    );
  }
  return isDocument(value) && Object.hasOwn(value, name)
    ? hasValue(value[name], path, test, depth + 1)
    : test(undefined);
}

/** Values are less or greater only than values of the same type, and NaN is equal only to itself. */
function createRangeTest(operand: unknown, isMet: (order: number) => boolean): ValueTest {
  return (value) => {
    if (!isSameType(value, operand)) return false;
    const order = compareValues(value, operand);
    return isMet(order) && (order === 0 || !(Number.isNaN(value) || Number.isNaN(operand)));
  };
}

function createInclusionTest(operand: unknown): ValueTest {
  if (!Array.isArray(operand)) throw new TypeError('$in and $nin need an array of values');
  const items = operand as unknown[];
  const keys = new Set(items.map((item) => toGroupKey(item)));
  const patterns = items.filter((item) => item instanceof RegExp);
  return (value) =>
    keys.has(toGroupKey(value)) ||
    (typeof value === 'string' && patterns.some((pattern) => pattern.test(value)));
}

function createRemainderTest(operand: unknown): ValueTest {
  const numbers: unknown[] = Array.isArray(operand) ? operand : [];
  const [divisor = NaN, remainder = NaN] = numbers.map((number) =>
    typeof number === 'number' ? Math.trunc(number) : NaN,
  );
  if (numbers.length !== 2 || Number.isNaN(divisor) || Number.isNaN(remainder)) {
    throw new TypeError('$mod needs an array of two numbers: the divisor and the remainder');
  }
  if (divisor === 0) throw new RangeError('the divisor of $mod must not be 0');
  return (value) => typeof value === 'number' && Math.trunc(value) % divisor === remainder;
}

function matchAll(selector: string, operand: unknown, options: Options): Condition {
  if (!Array.isArray(operand)) throw new TypeError('$all needs an array of values');
  const conditions = operand.map((item: unknown): Condition => {
    if (item instanceof RegExp) return queries.$regex(selector, item, options);
    return isDocument(item) && isDocument(item.$elemMatch)
      ? queries.$elemMatch(selector, item.$elemMatch, options)
      : equal(selector, item, options);
  });
  return (document) => conditions.length > 0 && conditions.every((isMet) => isMet(document));
}

/** Name and BSON number of the double type. */
const DOUBLE: readonly unknown[] = ['double', 1];

/**
 * Returns the condition of `$type`. All numbers in readings are doubles. In contrast, mingo treats
 * numbers without a fraction as integers.
 */
function matchType(selector: string, operand: unknown, options: Options): Condition {
  const types: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const widened = types.map((type) => (DOUBLE.includes(type) ? 'number' : type));
  return queries.$type(selector, widened, options);
}

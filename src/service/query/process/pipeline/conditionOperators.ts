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
const pattern = testing(createPatternTest);

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
  $comment: () => () => true,
  $regex: pattern,
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
  const patterns = items.filter((item) => item instanceof RegExp).map(createPatternTest);
  return (value) => keys.has(toGroupKey(value)) || patterns.some((isMatch) => isMatch(value));
}

/** Patterns match only text. mingo has already combined `$regex` and `$options`. */
function createPatternTest(operand: unknown): ValueTest {
  if (!(operand instanceof RegExp)) throw new TypeError('$regex needs a pattern');
  return (value) => typeof value === 'string' && value.search(operand) !== -1;
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
    if (item instanceof RegExp) return pattern(selector, item, options);
    return isDocument(item) && isDocument(item.$elemMatch)
      ? queries.$elemMatch(selector, item.$elemMatch, options)
      : equal(selector, item, options);
  });
  return (document) => conditions.length > 0 && conditions.every((isMet) => isMet(document));
}

/** BSON types by name, with their numbers. */
const TYPES: Readonly<Record<string, { readonly code: number; readonly test: ValueTest }>> = {
  double: { code: 1, test: (value) => typeof value === 'number' },
  string: { code: 2, test: (value) => typeof value === 'string' },
  object: { code: 3, test: isDocument },
  array: { code: 4, test: (value) => Array.isArray(value) },
  binData: { code: 5, test: isBson('Binary') },
  undefined: { code: 6, test: () => false },
  objectId: { code: 7, test: isBson('ObjectId') },
  bool: { code: 8, test: (value) => typeof value === 'boolean' },
  date: { code: 9, test: (value) => value instanceof Date },
  null: { code: 10, test: (value) => value === null },
  regex: { code: 11, test: (value) => value instanceof RegExp },
  dbPointer: { code: 12, test: isBson('DBRef') },
  javascript: { code: 13, test: isBson('Code') },
  symbol: { code: 14, test: isBson('BSONSymbol') },
  javascriptWithScope: { code: 15, test: () => false },
  int: { code: 16, test: (value) => Number.isInteger(value) },
  timestamp: { code: 17, test: isBson('Timestamp') },
  long: { code: 18, test: (value) => Number.isInteger(value) },
  decimal: { code: 19, test: isBson('Decimal128') },
  minKey: { code: -1, test: isBson('MinKey') },
  maxKey: { code: 127, test: isBson('MaxKey') },
};

function isBson(type: string): ValueTest {
  return (value) =>
    typeof value === 'object' && value !== null && Reflect.get(value, '_bsontype') === type;
}

/** The values of readings are below this field. All numbers in them are doubles. */
const READING = /^data(?:\.|$)/;

function matchType(selector: string, operand: unknown, options: Options): Condition {
  const types: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  if (types.length === 0) throw new TypeError('$type needs at least one type');
  const tests = types.map((type): ValueTest => {
    if (type === 'number') return (value) => typeof value === 'number';
    const known = Object.entries(TYPES).find(([name, { code }]) => name === type || code === type);
    if (!known) throw new TypeError(`$type: there is no type ${JSON.stringify(type)}`);
    const [name, { test }] = known;
    const isWhole = name === 'int' || name === 'long';
    return isWhole && READING.test(selector) ? () => false : test;
  });
  const match = testing(() => (value) => tests.some((isOfType) => isOfType(value)));
  return match(selector, operand, options);
}

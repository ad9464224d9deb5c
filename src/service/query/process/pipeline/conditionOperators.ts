import { Query } from 'mingo/query';
import type { Options } from 'mingo/types';
import { compareValues, isSameType, toGroupKey } from './compareValues';
import { type Document, isArrayIndex, isDocument } from './document';
import { evaluate, withScope } from './evaluate';
import { isTrue } from './truth';

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
  $bitsAllClear: testingBits((common) => common === 0n),
  $bitsAllSet: testingBits((common, mask) => common === mask),
  $bitsAnyClear: testingBits((common, mask) => common !== mask),
  $bitsAnySet: testingBits((common) => common !== 0n),
  $comment: () => () => true,
  $elemMatch: matchElement,
  $exists: (selector, operand) => {
    const isMet = conditionAt(selector, (value) => value !== undefined);
    return isTrue(operand) ? isMet : (document) => !isMet(document);
  },
  $expr: (_, expression, options) => (document) =>
    isTrue(evaluate(document, expression, withScope(options, { root: document }))),
  $not: negate,
  $size: matchSize,
  $regex: pattern,
  $type: matchType,
};

/** Selects a value itself instead of a field: an element in `$elemMatch`. */
const ITSELF = '\0';

/**
 * Returns a condition that is met if any value at the path passes the test. Arrays at the path are
 * tested as a whole.
 */
function conditionAt(selector: string, test: ValueTest): Condition {
  if (selector === ITSELF) return (document) => test(document[ITSELF]);
  const path = selector.split('.');
  return (document) => hasValue(document, path, test);
}

/**
 * Returns an operator that is met if any value at the path passes the test. The values of an array
 * are the array itself and its elements.
 */
function testing(createTest: (operand: unknown) => ValueTest): ConditionOperator {
  return (selector, operand) => {
    const test = createTest(operand);
    if (selector === ITSELF) return conditionAt(selector, test);
    return conditionAt(
      selector,
      (value) => test(value) || (Array.isArray(value) && value.some((element) => test(element))),
    );
  };
}

function negating(operator: ConditionOperator): ConditionOperator {
  return (selector, operand, options) => {
    if (operand instanceof RegExp) throw new TypeError('$ne needs a value; use $not for patterns');
    const isMet = operator(selector, operand, options);
    return (document) => !isMet(document);
  };
}

/**
 * Returns true if any value at a path passes the test. Along the path, the values are in the
 * documents of an array, but not in arrays within it.
 */
function hasValue(value: unknown, path: readonly string[], test: ValueTest, depth = 0): boolean {
  const name = path[depth];
  if (name === undefined) return test(value);
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
  if (operand instanceof RegExp) throw new TypeError('a pattern is neither less nor greater');
  return (value) => {
    if (!isSameType(value, operand)) return false;
    const order = compareValues(value, operand);
    return isMet(order) && (order === 0 || !(Number.isNaN(value) || Number.isNaN(operand)));
  };
}

function createInclusionTest(operand: unknown): ValueTest {
  if (!Array.isArray(operand)) throw new TypeError('$in and $nin need an array of values');
  const items = operand as unknown[];
  if (items.some(hasOnlyOperators)) throw new TypeError('$in and $nin need values, no operators');
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
    if (hasOnlyOperators(item) && !('$elemMatch' in item)) {
      throw new TypeError('$all needs values; the only operator in it is $elemMatch');
    }
    if (item instanceof RegExp) return pattern(selector, item, options);
    return isDocument(item) && '$elemMatch' in item
      ? matchElement(selector, item.$elemMatch, options)
      : equal(selector, item, options);
  });
  return (document) => conditions.length > 0 && conditions.every((isMet) => isMet(document));
}

/** Unlike mingo's implementation, rejects values that aren't conditions. */
function negate(selector: string, operand: unknown, options: Options): Condition {
  if (!(operand instanceof RegExp) && !hasOnlyOperators(operand)) {
    throw new TypeError('$not needs a condition, such as {"$gt": 5}, or a pattern');
  }
  const query = new Query({ [selector]: operand }, options);
  return (document) => !query.test(document);
}

/** Returns true for a document whose members all look like operators. */
export function hasOnlyOperators(value: unknown): value is Document {
  const names = isDocument(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => name.startsWith('$'));
}

function matchSize(selector: string, operand: unknown): Condition {
  if (!Number.isInteger(operand) || Number(operand) < 0) {
    throw new TypeError('$size must be a whole number that is not negative');
  }
  return conditionAt(selector, (value) => Array.isArray(value) && value.length === operand);
}

/**
 * Matches an array with an element that meets all conditions. Conditions on fields are met only by
 * documents and arrays, whose fields are their indexes.
 */
function matchElement(selector: string, operand: unknown, options: Options): Condition {
  if (!isDocument(operand)) throw new TypeError('$elemMatch needs a document of conditions');
  const isOnValue = hasOnlyOperators(operand) && !LOGICAL.some((name) => name in operand);
  const query = new Query(isOnValue ? { [ITSELF]: operand } : operand, options);
  const isMatch = (element: unknown): boolean => {
    if (isOnValue) return query.test({ [ITSELF]: element });
    const fields: unknown = Array.isArray(element)
      ? Object.fromEntries((element as unknown[]).entries())
      : element;
    return isDocument(fields) && query.test(fields);
  };
  return conditionAt(selector, (value) => Array.isArray(value) && value.some(isMatch));
}

const LOGICAL = ['$and', '$or', '$nor', '$expr'];

/** Numbers have any number of bits, of which all from the 64th on are the sign. */
const MAX_BIT = 64;

/** Returns an operator on the bits of whole numbers. Other values don't match. */
function testingBits(isMet: (common: bigint, mask: bigint) => boolean): ConditionOperator {
  return testing((operand) => {
    const mask = toBitMask(operand);
    return (value) => Number.isInteger(value) && isMet(BigInt(Number(value)) & mask, mask);
  });
}

function toBitMask(operand: unknown): bigint {
  const numbers: unknown[] = Array.isArray(operand) ? operand : [operand];
  if (!numbers.every((number) => Number.isInteger(number) && Number(number) >= 0)) {
    throw new TypeError(
      'bits must be a whole number that is not negative, or an array of positions',
    );
  }
  return Array.isArray(operand)
    ? numbers.reduce<bigint>(
        (mask, bit) => mask | (1n << BigInt(Math.min(Number(bit), MAX_BIT))),
        0n,
      )
    : BigInt(Number(operand));
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

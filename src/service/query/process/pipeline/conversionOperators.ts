import * as expressions from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { type Document, isDocument, isNullish } from './document';
import { evaluate } from './evaluate';
import { dateFromString } from './dateOperators';
import { createDateParser } from './dateText';
import { type ExpressionOperators, requireNamed } from './operands';
import { isTrue } from './truth';
import type { TimeZones } from './timeZones';

/**
 * Returns the operators that convert values. Unlike mingo's, they reject text that isn't a number as a
 * whole, such as an empty one, which must not become a measured 0.
 */
export function conversionOperators(zones: TimeZones): ExpressionOperators {
  const operators = Object.keys(TARGETS).map((name) => {
    const target = name as Target;
    const convert = (document: Document, operand: unknown, options: Options): unknown =>
      convertValue(evaluate(document, operand, options), target, { options, zones });
    return [`$to${name.charAt(0).toUpperCase()}${name.slice(1)}`, convert] as const;
  });
  return {
    ...Object.fromEntries(operators),
    $convert: (document, operand, options) => convert(document, operand, { options, zones }),
  };
}

interface Conversion {
  readonly options: Options;
  readonly zones: TimeZones;
}

const parseDate = createDateParser();

type Target = 'double' | 'string' | 'bool' | 'date' | 'int' | 'long' | 'decimal';

/** Types by name, with their numbers in BSON. */
const TARGETS: Readonly<Record<Target, number>> = {
  double: 1,
  string: 2,
  bool: 8,
  date: 9,
  int: 16,
  long: 18,
  decimal: 19,
};

const WHOLE_TEXT = /^[+-]?\d+$/;
const NUMBER_TEXT = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)$/i;

function convertValue(value: unknown, target: Target, { options, zones }: Conversion): unknown {
  if (isNullish(value)) return null;
  // Text that begins with a dollar sign would otherwise be read as a path.
  const literal = { $literal: value };
  switch (target) {
    case 'string':
      return expressions.$toString({}, literal, options);
    case 'bool':
      return isTrue(value);
    case 'date':
      requireType(value, ['string', 'number'], target);
      return typeof value === 'string'
        ? dateFromString({ dateString: value }, parseDate, zones)
        : expressions.$toDate({}, literal, options);
    case 'int':
    case 'long':
      requireType(value, ['string', 'number', 'boolean'], target);
      requireText(value, WHOLE_TEXT, target);
      return toWhole(value as string | number | boolean | Date, target);
    case 'double':
    case 'decimal':
      if (typeof value === 'number') return value;
      requireType(value, ['string', 'boolean'], target);
      requireText(value, NUMBER_TEXT, target);
      return typeof value === 'string'
        ? toNumber(value)
        : expressions.$toDouble({}, literal, options);
  }
}

const MAX_INT = 2 ** 31 - 1;
const MAX_LONG = 2 ** 63;

/** @throws RangeError for values without an exact result */
function toWhole(value: string | number | boolean | Date, target: 'int' | 'long'): number {
  const whole = Math.trunc(Number(value));
  const isInRange =
    target === 'int'
      ? whole >= -MAX_INT - 1 && whole <= MAX_INT
      : whole >= -MAX_LONG && whole < MAX_LONG;
  if (!isInRange || (typeof value === 'string' && !Number.isSafeInteger(whole))) {
    throw new RangeError(`${String(value)} can't be converted to ${target}: it is out of range`);
  }
  return whole;
}

/** Unlike mingo, doesn't convert arrays with one element. Only `int` is too small for dates. */
function requireType(value: unknown, types: readonly string[], target: Target): void {
  if (types.includes(typeof value) || (value instanceof Date && target !== 'int')) return;
  const type = Array.isArray(value) ? 'an array' : value instanceof Date ? 'a date' : 'this value';
  throw new TypeError(`${type} can't be converted to ${target}`);
}

function requireText(value: unknown, pattern: RegExp, target: Target): void {
  if (typeof value === 'string' && !pattern.test(value)) {
    throw new TypeError(`${JSON.stringify(value)} can't be converted to ${target}`);
  }
}

function toNumber(text: string): number {
  const [, sign, name] = /^([+-]?)(inf|nan)/i.exec(text) ?? [];
  if (name === undefined) return Number(text);
  if (name.toLowerCase() === 'nan') return NaN;
  return sign === '-' ? -Infinity : Infinity;
}

function convert(document: Document, operand: unknown, conversion: Conversion): unknown {
  const { options } = conversion;
  const required = ['input', 'to'];
  const known = [...required, 'onError', 'onNull'];
  const named = requireNamed('$convert', operand, { known, required });
  const compute = (expression: unknown): unknown => evaluate(document, expression, options);
  const input = compute(named.input);
  if (isNullish(input)) return compute(named.onNull) ?? null;
  const to = compute(named.to);
  if (isNullish(to)) return null;
  const type: unknown = isDocument(to) ? to.type : to;
  const target = Object.entries(TARGETS).find(([name, code]) => name === type || code === type);
  if (!target) {
    throw new TypeError(`$convert: values can't be converted to ${JSON.stringify(type)}`);
  }
  try {
    return convertValue(input, target[0] as Target, conversion);
  } catch (error) {
    if (!('onError' in named)) throw error;
    return compute(named.onError);
  }
}

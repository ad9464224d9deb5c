import { isNullish } from './document';
import { evaluate, isLiteralDocument } from './evaluate';
import { evaluateList, evaluateNamed, type ExpressionOperators, type Operator } from './operands';

/**
 * Operators on numbers that behave differently in mingo than in MongoDB: some return NaN or infinity
 * where MongoDB reports an error, reject NaN, or round incorrectly.
 */
export const numberOperators: Readonly<ExpressionOperators> = {
  $add: (...operands) => addValues(evaluateList('$add', operands, [0, Infinity])),
  $subtract: (...operands) => {
    const [left, right] = evaluateList('$subtract', operands, [2, 2]);
    if (isNullish(left) || isNullish(right)) return null;
    if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
    const subtrahend = requireNumber('$subtract', right);
    return left instanceof Date
      ? shift('$subtract', left, -subtrahend)
      : requireNumber('$subtract', left) - subtrahend;
  },
  $multiply: (...operands) => {
    const values = evaluateList('$multiply', operands, [0, Infinity]);
    if (values.some(isNullish)) return null;
    return values.reduce<number>(
      (product, value) => product * requireNumber('$multiply', value),
      1,
    );
  },
  $divide: binary('$divide', (dividend, divisor) => {
    if (divisor === 0) throw new RangeError('the divisor of $divide must not be 0');
    return dividend / divisor;
  }),
  $mod: binary('$mod', (value, divisor) => {
    if (divisor === 0) throw new RangeError('the divisor of $mod must not be 0');
    return value % divisor;
  }),
  $pow: binary('$pow', (base, exponent) => {
    if (base === 0 && exponent < 0) {
      throw new RangeError('$pow: 0 has no powers with negative exponents');
    }
    return base ** exponent;
  }),
  $log: binary('$log', (value, base) => {
    const [of, by] = [requirePositive('$log', value), requirePositive('$log', base)];
    if (by === 1) throw new RangeError('the base of $log must not be 1');
    return Math.log10(of) / Math.log10(by);
  }),
  $ln: unary('$ln', (value) => Math.log(requirePositive('$ln', value))),
  $log10: unary('$log10', (value) => Math.log10(requirePositive('$log10', value))),
  $round: rounding('$round', true),
  $trunc: rounding('$trunc', false),
  $acos: bounded('$acos', [-1, 1], Math.acos),
  $acosh: bounded('$acosh', [1, Infinity], Math.acosh),
  $asin: bounded('$asin', [-1, 1], Math.asin),
  $asinh: unary('$asinh', Math.asinh),
  $atan: unary('$atan', Math.atan),
  $atan2: binary('$atan2', Math.atan2),
  $atanh: bounded('$atanh', [-1, 1], Math.atanh),
  $cos: bounded('$cos', [-Number.MAX_VALUE, Number.MAX_VALUE], Math.cos),
  $cosh: unary('$cosh', Math.cosh),
  $degreesToRadians: unary('$degreesToRadians', (value) => value * (Math.PI / 180)),
  $radiansToDegrees: unary('$radiansToDegrees', (value) => value * (180 / Math.PI)),
  $sigmoid: (document, operand, options) => {
    const names = { known: ['input', 'onNull'], required: ['input'] };
    const { input, onNull = null } = isLiteralDocument(operand)
      ? evaluateNamed('$sigmoid', [document, operand, options], names)
      : { input: evaluate(document, operand, options) };
    return isNullish(input) ? onNull : 1 / (1 + Math.exp(-requireNumber('$sigmoid', input)));
  },
  $sin: bounded('$sin', [-Number.MAX_VALUE, Number.MAX_VALUE], Math.sin),
  $sinh: unary('$sinh', Math.sinh),
  $tan: bounded('$tan', [-Number.MAX_VALUE, Number.MAX_VALUE], Math.tan),
  $tanh: unary('$tanh', Math.tanh),
  $bitAnd: combiningBits('$bitAnd', -1n, (left, right) => left & right),
  $bitOr: combiningBits('$bitOr', 0n, (left, right) => left | right),
  $bitXor: combiningBits('$bitXor', 0n, (left, right) => left ^ right),
  $bitNot: (document, operand, options) => {
    const value: unknown = evaluate(document, operand, options);
    return isNullish(value) ? null : Number(~toBits('$bitNot', value));
  },
  $isNumber: (document, operand, options) =>
    typeof evaluate(document, operand, options) === 'number',
};

function requireNumber(name: string, value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`${name} needs numbers`);
  return value;
}

function requirePositive(name: string, value: number): number {
  if (value <= 0) throw new RangeError(`${name} needs positive numbers`);
  return value;
}

/** Returns an operator on a number. The result is null if it is null or missing. */
function unary(name: string, compute: (value: number) => number): Operator {
  return (document, operand, options) => {
    const value: unknown = evaluate(document, operand, options);
    return isNullish(value) ? null : compute(requireNumber(name, value));
  };
}

function binary(name: string, compute: (left: number, right: number) => number): Operator {
  return (...operands) => {
    const [left, right] = evaluateList(name, operands, [2, 2]);
    if (isNullish(left) || isNullish(right)) return null;
    return compute(requireNumber(name, left), requireNumber(name, right));
  };
}

/** Like `unary`, but rejects numbers out of a range. */
function bounded(
  name: string,
  [min, max]: readonly [min: number, max: number],
  compute: (value: number) => number,
): Operator {
  return unary(name, (value) => {
    if (value < min || value > max) {
      throw new RangeError(`${name}: ${String(value)} is out of range`);
    }
    return compute(value);
  });
}

function addValues(values: readonly unknown[]): unknown {
  if (values.some(isNullish)) return null;
  const dates = values.filter((value) => value instanceof Date);
  if (dates.length > 1) throw new TypeError('$add must have only one date');
  const sum = values
    .filter((value) => !(value instanceof Date))
    .reduce<number>((total, value) => total + requireNumber('$add', value), 0);
  const [date] = dates;
  return date === undefined ? sum : shift('$add', date, sum);
}

/** Dates have whole milliseconds. */
function shift(name: string, date: Date, milliseconds: number): Date {
  const shifted = new Date(date.getTime() + Math.round(milliseconds));
  if (Number.isNaN(shifted.getTime())) {
    throw new RangeError(`${name}: the resulting date is out of range`);
  }
  return shifted;
}

const MIN_PLACES = -20;
const MAX_PLACES = 100;

function rounding(name: string, toNearest: boolean): Operator {
  return (...operands) => {
    const values = evaluateList(name, operands, [1, 2]);
    if (values.some(isNullish)) return null;
    const [value, places = 0] = values;
    if (!Number.isInteger(places) || Number(places) < MIN_PLACES || Number(places) > MAX_PLACES) {
      throw new RangeError(
        `${name}: the number of decimal places must be a whole number from -20 to 100`,
      );
    }
    return roundNumber(requireNumber(name, value), Number(places), toNearest);
  };
}

function combiningBits(
  name: string,
  start: bigint,
  combine: (left: bigint, right: bigint) => bigint,
): Operator {
  return (...operands) => {
    const values = evaluateList(name, operands, [0, Infinity]);
    if (values.some(isNullish)) return null;
    return Number(values.map((value) => toBits(name, value)).reduce(combine, start));
  };
}

function toBits(name: string, value: unknown): bigint {
  if (!Number.isInteger(value)) throw new TypeError(`${name} needs whole numbers`);
  return BigInt.asIntN(64, BigInt(Number(value)));
}

/**
 * Number of decimal places in the integers that represent numbers: the maximum of `toFixed`. Further
 * places are rounded.
 */
const PLACES = 100;
/** `toFixed` returns an exponent for numbers from here on. All of them are whole. */
const MAX_FIXED = 1e21;

/**
 * Rounds a number to decimal places; to tens, hundreds, and so on if the number of places is
 * negative. Like MongoDB, uses the exact value of the double, and rounds halves to the even digit.
 * @param toNearest false to remove the digits instead
 */
function roundNumber(value: number, places: number, toNearest: boolean): number {
  if (!Number.isFinite(value) || (places >= 0 && Number.isInteger(value))) return value;
  const size = Math.abs(value);
  const units =
    size < MAX_FIXED
      ? BigInt(size.toFixed(PLACES).replace('.', ''))
      : BigInt(size) * 10n ** BigInt(PLACES);
  const step = 10n ** BigInt(PLACES - places);
  const steps = units / step;
  const excess = 2n * (units % step);
  const isUp = toNearest && (excess > step || (excess === step && steps % 2n === 1n));
  const rounded = Number(`${String(isUp ? steps + 1n : steps)}e${String(-places)}`);
  return value < 0 ? -rounded : rounded;
}

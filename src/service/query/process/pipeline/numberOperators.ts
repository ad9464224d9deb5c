import { isNullish } from './document';
import { evaluate, isLiteralDocument } from './evaluate';
import { evaluateList, evaluateNamed, type ExpressionOperators, type Operator } from './operands';
import { roundNumber } from './roundNumber';

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
  $divide: onTwo('$divide', (dividend, divisor) => {
    if (divisor === 0) throw new RangeError('the divisor of $divide must not be 0');
    return dividend / divisor;
  }),
  $mod: onTwo('$mod', (value, divisor) => {
    if (divisor === 0) throw new RangeError('the divisor of $mod must not be 0');
    return value % divisor;
  }),
  $pow: onTwo('$pow', (base, exponent) => {
    if (base === 0 && exponent < 0) {
      throw new RangeError('$pow: 0 has no powers with negative exponents');
    }
    return base ** exponent;
  }),
  $log: onTwo('$log', (value, base) => {
    const [of, by] = [requirePositive('$log', value), requirePositive('$log', base)];
    if (by === 1) throw new RangeError('the base of $log must not be 1');
    return Math.log10(of) / Math.log10(by);
  }),
  $ln: onOne('$ln', (value) => Math.log(requirePositive('$ln', value))),
  $log10: onOne('$log10', (value) => Math.log10(requirePositive('$log10', value))),
  $round: rounding('$round', true),
  $trunc: rounding('$trunc', false),
  $acos: within('$acos', [-1, 1], Math.acos),
  $acosh: within('$acosh', [1, Infinity], Math.acosh),
  $asin: within('$asin', [-1, 1], Math.asin),
  $asinh: onOne('$asinh', Math.asinh),
  $atan: onOne('$atan', Math.atan),
  $atan2: onTwo('$atan2', Math.atan2),
  $atanh: within('$atanh', [-1, 1], Math.atanh),
  $cos: within('$cos', [-Number.MAX_VALUE, Number.MAX_VALUE], Math.cos),
  $cosh: onOne('$cosh', Math.cosh),
  $degreesToRadians: onOne('$degreesToRadians', (value) => value * (Math.PI / 180)),
  $radiansToDegrees: onOne('$radiansToDegrees', (value) => value * (180 / Math.PI)),
  $sigmoid: (document, operand, options) => {
    const names = { known: ['input', 'onNull'], required: ['input'] };
    const { input, onNull = null } = isLiteralDocument(operand)
      ? evaluateNamed('$sigmoid', [document, operand, options], names)
      : { input: evaluate(document, operand, options) };
    return isNullish(input) ? onNull : 1 / (1 + Math.exp(-requireNumber('$sigmoid', input)));
  },
  $sin: within('$sin', [-Number.MAX_VALUE, Number.MAX_VALUE], Math.sin),
  $sinh: onOne('$sinh', Math.sinh),
  $tan: within('$tan', [-Number.MAX_VALUE, Number.MAX_VALUE], Math.tan),
  $tanh: onOne('$tanh', Math.tanh),
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

function onOne(name: string, compute: (value: number) => number): Operator {
  return (document, operand, options) => {
    const value: unknown = evaluate(document, operand, options);
    return isNullish(value) ? null : compute(requireNumber(name, value));
  };
}

function onTwo(name: string, compute: (left: number, right: number) => number): Operator {
  return (...operands) => {
    const [left, right] = evaluateList(name, operands, [2, 2]);
    if (isNullish(left) || isNullish(right)) return null;
    return compute(requireNumber(name, left), requireNumber(name, right));
  };
}

function within(
  name: string,
  [min, max]: readonly [min: number, max: number],
  compute: (value: number) => number,
): Operator {
  return onOne(name, (value) => {
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

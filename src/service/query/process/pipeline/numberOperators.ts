import { evalExpr } from 'mingo/core';
import { isNullish } from './document';
import { evaluateList, type ExpressionOperators, type Operator } from './operands';

/** Operators on numbers for which mingo returns NaN or infinity where MongoDB reports an error. */
export const numberOperators: Readonly<ExpressionOperators> = {
  $mod: (...operands) => {
    const [value, divisor] = evaluateList('$mod', operands, [2, 2]);
    if (isNullish(value) || isNullish(divisor)) return null;
    if (typeof value !== 'number' || typeof divisor !== 'number') {
      throw new TypeError('$mod needs numbers');
    }
    if (divisor === 0) throw new RangeError('the divisor of $mod must not be 0');
    return value % divisor;
  },
  $ln: logarithm('$ln', Math.log),
  $log10: logarithm('$log10', Math.log10),
  $log: (...operands) => {
    const [value, base] = evaluateList('$log', operands, [2, 2]);
    if (isNullish(value) || isNullish(base)) return null;
    const [of, by] = [requirePositive('$log', value), requirePositive('$log', base)];
    if (by === 1) throw new RangeError('the base of $log must not be 1');
    return Math.log10(of) / Math.log10(by);
  },
};

function logarithm(name: string, compute: (value: number) => number): Operator {
  return (document, operand, options) => {
    const value: unknown = evalExpr(document, operand, options);
    return isNullish(value) ? null : compute(requirePositive(name, value));
  };
}

function requirePositive(name: string, value: unknown): number {
  if (typeof value !== 'number' || value <= 0) {
    throw new RangeError(`${name} needs positive numbers`);
  }
  return value;
}

import { evalExpr } from 'mingo/core';
import type { Options } from 'mingo/types';
import { compareValues } from './values/compareValues';
import type { Document } from './values/document';

type Operator = (document: Document, operands: unknown, options: Options) => unknown;

/**
 * Comparisons in expressions, using MongoDB's order of all types: missing values come first,
 * followed by null, numbers, and strings. In mingo, values of different types are neither less nor
 * greater than each other.
 */
export const comparisonOperators: Readonly<Record<string, Operator>> = {
  $cmp: comparing((order) => Math.sign(order)),
  $eq: comparing((order) => order === 0),
  $ne: comparing((order) => order !== 0),
  $lt: comparing((order) => order < 0),
  $lte: comparing((order) => order <= 0),
  $gt: comparing((order) => order > 0),
  $gte: comparing((order) => order >= 0),
};

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

import * as expressions from 'mingo/operators/expression/type';
import * as queries from 'mingo/operators/query/element';
import type { Options } from 'mingo/types';
import type { Document } from './document';

/** Name and BSON number of the double type. */
const DOUBLE: readonly unknown[] = ['double', 1];
const WHOLE: readonly unknown[] = ['int', 'long'];
const OF_READING = /^\$(?:\$(?:ROOT|CURRENT)\.)?data\./;

/**
 * `$type` in conditions. All numbers in readings are doubles. In contrast, mingo treats numbers
 * without a fraction as integers.
 */
export function typeCondition(
  selector: string,
  wanted: unknown,
  options: Options,
): (document: Document) => boolean {
  const types: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const widened = types.map((type) => (DOUBLE.includes(type) ? 'number' : type));
  return queries.$type(selector, widened, options);
}

/** `$type` as an expression, with the same rules as in conditions. */
export function computeType(document: Document, operand: unknown, options: Options): unknown {
  const type: unknown = expressions.$type(document, operand, options);
  const isReadingField = typeof operand === 'string' && OF_READING.test(operand);
  return isReadingField && WHOLE.includes(type) ? 'double' : type;
}

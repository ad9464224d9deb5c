import { isDocument } from '../values/document';
import { computedSql } from './computedSql';
import type { GetConstant } from './constants';
import { joined, negated, scalarCondition, getScalarType } from './conditions';
import { toScalar, type SqlFields, type SqlScalar } from './sqlField';

const MIRRORED: Readonly<Record<string, string>> = {
  $eq: '$eq',
  $ne: '$ne',
  $gt: '$lt',
  $gte: '$lte',
  $lt: '$gt',
  $lte: '$gte',
};

/**
 * Returns the SQL for an `$expr` that compares fields with constants. Unlike the operators of
 * `$match`, expression operators treat null and missing values as less than all other values.
 */
export function exprSql(
  fields: SqlFields,
  expression: unknown,
  getConstant: GetConstant,
): string | undefined {
  const [[operator, operand] = ['', undefined], ...others] = Object.entries(
    isDocument(expression) ? expression : {},
  );
  const operands: unknown[] = Array.isArray(operand) ? operand : [operand];
  const each = (): (string | undefined)[] =>
    operands.map((part) => exprSql(fields, part, getConstant));
  if (others.length > 0) {
    return undefined;
  }
  switch (operator) {
    case '$and':
      return joined(each(), ' AND ');
    case '$or':
      return joined(each(), ' OR ');
    case '$not':
      return operands.length === 1 ? negated(each()[0]) : undefined;
    default:
      return operands.length === 2 && operator in MIRRORED
        ? comparisonSql(fields, operator, operands, getConstant)
        : undefined;
  }
}

function comparisonSql(
  fields: SqlFields,
  operator: string,
  [left, right]: readonly unknown[],
  getConstant: GetConstant,
): string | undefined {
  const fromLeft = withConstant(toScalar(computedSql(fields, left)), operator, getConstant(right));
  const mirrored = MIRRORED[operator] ?? '';
  return (
    fromLeft ?? withConstant(toScalar(computedSql(fields, right)), mirrored, getConstant(left))
  );
}

function withConstant(
  scalar: SqlScalar | undefined,
  operator: string,
  constant: { value: unknown } | undefined,
): string | undefined {
  if (
    scalar === undefined ||
    constant === undefined ||
    getScalarType(constant.value) !== scalar.type
  ) {
    return undefined;
  }
  switch (operator) {
    case '$ne':
      return negated(scalarCondition(scalar, '$eq', constant.value));
    case '$lt':
    case '$lte':
      return joined(
        [scalarCondition(scalar, operator, constant.value), `${scalar.sql} IS NULL`],
        ' OR ',
      );
    default:
      return scalarCondition(scalar, operator, constant.value);
  }
}

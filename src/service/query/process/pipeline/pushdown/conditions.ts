import { toSqlLiteral } from '../../../../../core/model/sqlTokens';
import { isDocument } from '../document';
import { existsSql, toScalar, type ScalarType, type SqlField, type SqlScalar } from './sqlField';

/** Joins conditions; undefined if any of them can't be expressed in SQL. */
export function joined(parts: readonly (string | undefined)[], join: string): string | undefined {
  return parts.length === 0 || parts.includes(undefined)
    ? undefined
    : parts.map((part) => `(${part ?? ''})`).join(join);
}

/**
 * Negates a condition. A condition that evaluates to NULL in SQL counts as false, so its negation
 * is true.
 */
export function negated(sql: string | undefined): string | undefined {
  return sql === undefined ? undefined : `(${sql}) IS NOT TRUE`;
}

/** Returns the SQL for the condition on a field in `$match`. */
export function fieldSql(field: SqlField | undefined, value: unknown): string | undefined {
  if (field === undefined) return undefined;
  if (!isDocument(value)) {
    return operatorSql(field, value instanceof RegExp ? '$regex' : '$eq', value);
  }
  const operators = Object.entries(value);
  const isOperators = operators.length > 0 && operators.every(([name]) => name.startsWith('$'));
  return isOperators
    ? joined(
        operators.map(([name, operand]) => operatorSql(field, name, operand)),
        ' AND ',
      )
    : undefined;
}

function operatorSql(field: SqlField, operator: string, operand: unknown): string | undefined {
  switch (operator) {
    case '$ne':
      return negated(operatorSql(field, '$eq', operand));
    case '$nin':
      return negated(operatorSql(field, '$in', operand));
    case '$not':
      return isDocument(operand) ? negated(fieldSql(field, operand)) : undefined;
    case '$exists':
      return typeof operand === 'boolean' ? presenceSql(field, operand) : undefined;
    case '$comment':
      return 'true';
    default: {
      if (field.kind === 'texts') return textsSql(field.sql, operator, operand);
      const scalar = toScalar(field);
      return scalar === undefined ? undefined : scalarCondition(scalar, operator, operand);
    }
  }
}

function presenceSql(field: SqlField, isPresent: boolean): string | undefined {
  const exists = existence(field);
  return isPresent ? exists : negated(exists);
}

function existence(field: SqlField): string | undefined {
  switch (field.kind) {
    case 'scalar':
      return field.exists ?? (field.absent === 'null' ? 'true' : `${field.sql} IS NOT NULL`);
    case 'json':
      if (field.picked !== undefined) return undefined;
      return field.absent === 'null' ? 'true' : existsSql(field);
    case 'texts':
      return `${field.sql} IS NOT NULL`;
    default:
      return undefined;
  }
}

const COMPARISONS: Readonly<Record<string, '<' | '<=' | '>' | '>='>> = {
  $lt: '<',
  $lte: '<=',
  $gt: '>',
  $gte: '>=',
};

/**
 * Returns the SQL for one operator of `$match`. A value of a different type is never equal, less,
 * or greater.
 */
export function scalarCondition(
  scalar: SqlScalar,
  operator: string,
  operand: unknown,
): string | undefined {
  const comparison = COMPARISONS[operator];
  if (comparison !== undefined) return rangeSql(scalar, comparison, operand);
  switch (operator) {
    case '$eq':
      return equalSql(scalar, operand);
    case '$in':
      return inSql(scalar, operand);
    case '$regex':
      return scalar.type === 'text' ? prefixSql(scalar.sql, operand) : undefined;
    default:
      return undefined;
  }
}

function equalSql(scalar: SqlScalar, operand: unknown): string | undefined {
  if (operand === null) return `${scalar.sql} IS NULL`;
  const type = getScalarType(operand);
  if (type === undefined) return undefined;
  if (type !== scalar.type) return 'false';
  if (operand instanceof Date) {
    return `${scalar.sql} >= ${formatTimestampLiteral(operand)} AND ${scalar.sql} < ${formatTimestampLiteral(operand, 1)}`;
  }
  return `${scalar.sql} = ${literal(operand)}`;
}

function inSql(scalar: SqlScalar, operand: unknown): string | undefined {
  if (!Array.isArray(operand)) return undefined;
  if (scalar.type === 'date' || operand.includes(null) || operand.length === 0) {
    return operand.length === 0
      ? 'false'
      : joined(
          operand.map((item) => equalSql(scalar, item)),
          ' OR ',
        );
  }
  if (operand.some((item) => getScalarType(item) === undefined)) return undefined;
  const same = operand.filter((item) => getScalarType(item) === scalar.type);
  return same.length === 0 ? 'false' : `${scalar.sql} IN (${same.map(literal).join(', ')})`;
}

/**
 * Documents have millisecond precision, but the column has microsecond precision. Each bound is
 * therefore moved to the start or end of its millisecond.
 */
function rangeSql(
  scalar: SqlScalar,
  comparison: '<' | '<=' | '>' | '>=',
  operand: unknown,
): string | undefined {
  const type = getScalarType(operand);
  if (type === undefined || type !== scalar.type) return type === undefined ? undefined : 'false';
  if (operand instanceof Date) {
    const isAfterMillisecond = comparison === '>' || comparison === '<=';
    const edge = formatTimestampLiteral(operand, isAfterMillisecond ? 1 : 0);
    return `${scalar.sql} ${comparison.startsWith('<') ? '<' : '>='} ${edge}`;
  }
  return `${scalar.sql} ${comparison} ${literal(operand)}`;
}

/** Translates a pattern that matches only a prefix. */
function prefixSql(sql: string, operand: unknown): string | undefined {
  const isPattern = operand instanceof RegExp && operand.flags === '';
  const source = isPattern ? operand.source.replaceAll('\\/', '/') : operand;
  const [, prefix] = typeof source === 'string' ? (/^\^([\w \-/:]+)$/u.exec(source) ?? []) : [];
  return prefix === undefined ? undefined : `starts_with(${sql}, ${toSqlLiteral(prefix)})`;
}

/** Returns the SQL for a condition on an array. The condition is met if any element meets it. */
function textsSql(sql: string, operator: string, operand: unknown): string | undefined {
  if (operator === '$eq' && typeof operand === 'string') {
    return getScalarType(operand) === 'text'
      ? `list_contains(${sql}, ${literal(operand)})`
      : undefined;
  }
  const items: unknown[] = Array.isArray(operand) ? operand : [];
  if (items.length === 0 || items.some((item) => getScalarType(item) !== 'text')) return undefined;
  const list = `[${items.map(literal).join(', ')}]`;
  switch (operator) {
    case '$in':
      return `list_has_any(${sql}, ${list})`;
    case '$all':
      return `list_has_all(${sql}, ${list})`;
    default:
      return undefined;
  }
}

/** Returns the type of a value if SQL can compare it. */
export function getScalarType(value: unknown): ScalarType | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? 'number' : undefined;
    case 'string':
      return value.includes('\0') ? undefined : 'text';
    case 'boolean':
      return 'boolean';
    default:
      return value instanceof Date && !Number.isNaN(value.getTime()) ? 'date' : undefined;
  }
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? toSqlLiteral(value)
    : typeof value === 'number'
      ? `CAST(${String(value)} AS DOUBLE)`
      : String(value);
}

function formatTimestampLiteral(date: Date, addedMilliseconds = 0): string {
  return `make_timestamp(${String(BigInt(date.getTime() + addedMilliseconds) * 1000n)})`;
}

import { type Document, isDocument } from '../document';
import { fieldSql, getScalarType, joined, negated, scalarCondition } from './conditions';
import { fieldAt, type SqlFields, type SqlScalar, toScalar } from './sqlField';
import { computedSql } from './computedSql';
import type { Expressions } from '../expressions';

/** Fields and constants that conditions refer to. */
interface Scope {
  fields: SqlFields;
  getConstant: GetConstant;
}

/** Condition split into two parts. A document must meet both parts. */
export interface SplitCondition {
  sql: readonly string[];
  /** Part that has no exact SQL translation. */
  rest: Document | undefined;
}

/** Translates the part of a `$match` condition that SQL can express exactly. */
export function splitCondition(scope: Scope, condition: Document): SplitCondition {
  const parts = conjuncts(condition).map((part) => ({ part, sql: conditionSql(scope, part) }));
  const left = parts.filter(({ sql }) => sql === undefined).map(({ part }) => part);
  // Only the whole condition can have a sample rate.
  const rate = left.find((part) => '$sampleRate' in part);
  const others = left.filter((part) => part !== rate);
  const rest = others.length > 1 ? { $and: others } : others[0];
  return {
    sql: parts.flatMap(({ sql }) => (sql === undefined ? [] : [sql])),
    rest: left.length === 0 ? undefined : { ...rate, ...rest },
  };
}

/** Splits a condition into the smallest parts, all of which must be met. */
function conjuncts(condition: Document): Document[] {
  return Object.entries(condition).flatMap(([name, value]): Document[] => {
    if (name === '$and' && Array.isArray(value) && value.length > 0 && value.every(isDocument)) {
      return value.flatMap(conjuncts);
    }
    return name === '$comment' ? [] : [{ [name]: value }];
  });
}

/**
 * Returns SQL that is true if and only if the condition is met; undefined if no exact translation
 * exists.
 */
function conditionSql(scope: Scope, condition: Document): string | undefined {
  return joined(
    Object.entries(condition).map(([name, value]) => {
      switch (name) {
        case '$and':
          return listSql(scope, value, ' AND ');
        case '$or':
          return listSql(scope, value, ' OR ');
        case '$nor':
          return negated(listSql(scope, value, ' OR '));
        case '$expr':
          return exprSql(scope.fields, value, scope.getConstant);
        case '$comment':
          return 'true';
        default:
          return name.startsWith('$')
            ? undefined
            : fieldSql(fieldAt(scope.fields, name.split('.')), value);
      }
    }),
    ' AND ',
  );
}

function listSql(scope: Scope, value: unknown, join: ' AND ' | ' OR '): string | undefined {
  return Array.isArray(value) && value.length > 0 && value.every(isDocument)
    ? joined(
        value.map((condition) => conditionSql(scope, condition)),
        join,
      )
    : undefined;
}

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
function exprSql(
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
  if (others.length > 0) return undefined;
  switch (operator) {
    case '$and':
      return joined(each(), ' AND ');
    case '$or':
      return joined(each(), ' OR ');
    case '$not':
      return operands.length === 1 ? negated(each()[0]) : undefined;
    default:
      return operands.length === 2 && Object.hasOwn(MIRRORED, operator)
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

/**
 * Returns the value for an expression that is the same for all documents; undefined if the
 * expression isn't constant.
 */
export type GetConstant = (expression: unknown) => { value: unknown } | undefined;

/**
 * Operators that are never constant: some return random results, and `$getField` reads the document
 * although its operand, the name of a field, looks like a constant.
 */
const NEVER_CONSTANT: ReadonlySet<string> = new Set(['$rand', '$sampleRate', '$getField']);

/**
 * Returns a function that evaluates expressions that contain no fields, such as the time 24 hours
 * ago.
 */
export function constants(expressions: Expressions): GetConstant {
  return (expression) => {
    if (!isConstant(expression, expressions)) return undefined;
    try {
      const value = expressions.compute({}, expression);
      // The expression is a variable without a value.
      return value === undefined ? undefined : { value };
    } catch {
      // If there are any documents, the stage itself reports the error.
      return undefined;
    }
  };
}

function isConstant(expression: unknown, expressions: Expressions): boolean {
  if (typeof expression === 'string') {
    return (
      !expression.startsWith('$') || expression === '$$NOW' || expressions.isVariable(expression)
    );
  }
  if (Array.isArray(expression)) return expression.every((item) => isConstant(item, expressions));
  return isDocument(expression)
    ? Object.entries(expression).every(
        ([name, value]) =>
          name === '$literal' || (!NEVER_CONSTANT.has(name) && isConstant(value, expressions)),
      )
    : true;
}

import { isDocument, type Document } from '../values/document';
import { fieldSql, joined, negated } from './conditions';
import type { GetConstant } from './constants';
import { exprSql } from './exprSql';
import { fieldAt, type SqlFields } from './sqlField';

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
  return {
    sql: parts.flatMap(({ sql }) => (sql === undefined ? [] : [sql])),
    rest: left.length === 0 ? undefined : left.length === 1 ? left[0] : { $and: left },
  };
}

/** Splits a condition into the smallest parts that must all be met. */
function conjuncts(condition: Document): Document[] {
  return Object.entries(condition).flatMap(([name, value]): Document[] => {
    if (name === '$and' && Array.isArray(value) && value.length > 0 && value.every(isDocument)) {
      return value.flatMap(conjuncts);
    }
    return [{ [name]: value }];
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

import { isDocument, type Document } from '../values/document';
import { fieldSql, joined, negated } from './conditions';
import type { ConstantOf } from './constants';
import { exprSql } from './exprSql';
import { fieldAt, type SqlFields } from './sqlField';

/** What conditions are about. */
interface Scope {
  fields: SqlFields;
  constantOf: ConstantOf;
}

/** A condition in two parts: a document fulfils it when it fulfils both. */
export interface SplitCondition {
  sql: readonly string[];
  /** What has no exact translation. */
  rest: Document | undefined;
}

/** Translates what can be translated exactly of a condition of `$match`. */
export function splitCondition(scope: Scope, condition: Document): SplitCondition {
  const parts = conjuncts(condition).map((part) => ({ part, sql: conditionSql(scope, part) }));
  const left = parts.filter(({ sql }) => sql === undefined).map(({ part }) => part);
  return {
    sql: parts.flatMap(({ sql }) => (sql === undefined ? [] : [sql])),
    rest: left.length === 0 ? undefined : left.length === 1 ? left[0] : { $and: left },
  };
}

/** Conditions that all have to hold, as small as they can be told apart. */
function conjuncts(condition: Document): Document[] {
  return Object.entries(condition).flatMap(([name, value]): Document[] => {
    if (name === '$and' && Array.isArray(value) && value.length > 0 && value.every(isDocument)) {
      return value.flatMap(conjuncts);
    }
    return [{ [name]: value }];
  });
}

/** The SQL of a condition, which is true exactly when it holds; undefined when there is none. */
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
          return exprSql(scope.fields, value, scope.constantOf);
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

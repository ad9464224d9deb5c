import { toSqlLiteral } from '../../../../../core/model/sqlTokens';
import { getOwn } from '../../../../../base/getOwn';
import type { DataShape } from '../../../queryJob';
import type { Projection } from '../stages/projectStage';

export type ScalarType = 'number' | 'text' | 'boolean' | 'date';

/**
 * SQL representation of a document field. A scalar has a single SQL type, with NULL for both null
 * and missing values.
 */
export type SqlField = SqlScalar | SqlJson | SqlTexts | SqlConstant | SqlDocument;

export interface SqlScalar {
  kind: 'scalar';
  type: ScalarType;
  sql: string;
  /** Meaning of NULL in the documents. */
  absent: 'missing' | 'null';
  /** Condition that is true if the field exists. Needed if NULL can mean either null or missing. */
  exists?: string;
}

/** Part of a JSON column. */
export interface SqlJson {
  kind: 'json';
  column: string;
  path: readonly string[];
  shape: DataShape;
  /** Meaning of NULL in the documents. */
  absent: 'missing' | 'null';
  /** Projection of the value in the documents; if absent, the entire value. */
  picked?: Projection;
}

/** List of strings. NULL means that the list is missing. */
export interface SqlTexts {
  kind: 'texts';
  sql: string;
}

/** The same value in each document. */
export interface SqlConstant {
  kind: 'constant';
  value: unknown;
}

export interface SqlDocument {
  kind: 'document';
  fields: SqlFields;
}

/** A document's fields, in order. */
export type SqlFields = ReadonlyMap<string, SqlField>;

/**
 * Returns a field as a scalar, such as a number or date, if its value is a scalar in all documents
 * that contain the field.
 */
export function toScalar(field: SqlField | undefined): SqlScalar | undefined {
  if (field?.kind === 'scalar') return field;
  if (field?.kind !== 'json' || field.picked !== undefined || typeof field.shape !== 'string') {
    return undefined;
  }
  const type = TYPES[field.shape];
  const text = `json_extract_string(${field.column}, ${jsonPath(field.path)})`;
  return type === undefined
    ? undefined
    : {
        kind: 'scalar',
        type,
        sql: type === 'text' ? text : `TRY_CAST(${text} AS ${SQL_TYPES[type]})`,
        ...(field.absent === 'null'
          ? { absent: 'null' }
          : { absent: 'missing', exists: existsSql(field) }),
      };
}

/** Returns the condition that a JSON path exists, even if its value is null. */
export function existsSql({ column, path }: SqlJson): string {
  return path.length === 0 ? `${column} IS NOT NULL` : `json_exists(${column}, ${jsonPath(path)})`;
}

/** Returns the SQL for the value at a path in a JSON column, as JSON. */
export function jsonSql({ column, path }: SqlJson): string {
  return path.length === 0 ? column : `json_extract(${column}, ${jsonPath(path)})`;
}

/** Returns the field at a path, if its type is known for all documents. */
export function fieldAt(fields: SqlFields, path: readonly string[]): SqlField | undefined {
  const [name = '', ...rest] = path;
  const field = fields.get(name);
  if (field === undefined || rest.length === 0) return field;
  switch (field.kind) {
    case 'document':
      return fieldAt(field.fields, rest);
    case 'json':
      return jsonAt(field, rest);
    default:
      return undefined;
  }
}

/**
 * All numbers are doubles, as in Protobuf, although `json_group_structure` reports the smallest
 * types that they fit into.
 */
const TYPES: Readonly<Record<string, ScalarType>> = {
  BIGINT: 'number',
  BOOLEAN: 'boolean',
  DOUBLE: 'number',
  HUGEINT: 'number',
  UBIGINT: 'number',
  VARCHAR: 'text',
};

const SQL_TYPES = { number: 'DOUBLE', boolean: 'BOOLEAN', date: 'TIMESTAMP' } as const;

/** Names that don't have to be escaped in a JSON path. */
const PLAIN_NAME = /^[^"\\*[\]#\p{Cc}]+$/u;

function jsonAt(field: SqlJson, rest: readonly string[]): SqlJson | undefined {
  let { shape, picked } = field;
  for (const name of rest) {
    if (typeof shape !== 'object' || Array.isArray(shape) || !PLAIN_NAME.test(name)) {
      return undefined;
    }
    const members = shape as Readonly<Record<string, DataShape>>;
    const member = getOwn(members, name);
    const rule = picked?.get(name);
    if (member === undefined || (picked !== undefined && rule === undefined)) return undefined;
    shape = member;
    picked = rule === undefined || 'leaf' in rule ? undefined : rule;
  }
  const { kind, column } = field;
  const part = { kind, column, path: [...field.path, ...rest], shape, absent: 'missing' } as const;
  return picked === undefined ? part : { ...part, picked };
}

/**
 * Returns a path as an SQL literal: a JSON pointer (RFC 6901), which DuckDB follows faster than a
 * path with quoted names.
 */
function jsonPath(path: readonly string[]): string {
  const steps = path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return toSqlLiteral(path.length === 0 ? '$' : steps.join(''));
}

import { type Document, isDocument } from '../document';
import type { GroupField } from '../stages/accumulators';
import { computedSql } from './computedSql';
import {
  isCut,
  keySql,
  movedFields,
  nested,
  orderSql,
  createSelection,
  selectSql,
  type OrderKey,
  type Selection,
} from './selection';
import { jsonSql, toScalar, type SqlField, type SqlFields } from './sqlField';

/** Returns the grouped documents if SQL can produce the same result. */
export function grouped(
  documents: Selection,
  id: unknown,
  fields: readonly GroupField[],
): Selection | undefined {
  const source = isCut(documents) ? nested(documents) : documents;
  const columns = new Columns(source.depth + 1);
  const idField = groupId(source.fields, id, columns);
  const keys = columns.names.length;
  const gathered = fields.map(({ name, operator, operand }) => {
    const field =
      operand === '$$ROOT' && (operator === '$first' || operator === '$last')
        ? edgeDocument(source, operator, columns)
        : columns.moved(accumulatorSql(source, operator, operand));
    return field && ([name, field] as const);
  });
  const known = gathered.filter((entry) => entry !== undefined);
  if (idField === undefined || known.length < gathered.length) return undefined;
  const select = selectSql({ ...source, order: [] }, columns.sql);
  const groupBy =
    keys === 0
      ? // No documents means no group.
        'HAVING count(*) > 0'
      : `GROUP BY ${columns.names
          .slice(0, keys)
          .map((_, index) => String(index + 1))
          .join(', ')}`;
  const result: SqlFields = new Map([['_id', idField], ...known]);
  return createSelection(`(${select} ${groupBy})`, result, source.depth + 1);
}

/** Columns in a query under construction. */
class Columns {
  readonly names: string[] = [];
  readonly sql: string[] = [];

  constructor(private readonly depth: number) {}

  /** Name of the next column. */
  get next(): string {
    return `g${String(this.depth)}_${String(this.names.length)}`;
  }

  add(sql: string): string {
    const name = this.next;
    this.names.push(name);
    this.sql.push(`${sql} AS ${name}`);
    return name;
  }

  moved(field: SqlField | undefined): SqlField | undefined {
    switch (field?.kind) {
      case 'scalar':
        return { ...field, sql: this.add(field.sql) };
      case 'json':
        return { ...field, column: this.add(field.column) };
      default:
        return field;
    }
  }
}

function groupId(fields: SqlFields, id: unknown, columns: Columns): SqlField | undefined {
  if (typeof id !== 'string' && !isDocument(id)) {
    return isDocument(id) || Array.isArray(id) ? undefined : { kind: 'constant', value: id };
  }
  const field = computedSql(fields, id);
  if (field !== undefined) return keyField(field, columns, 'null');
  return isDocument(id) && isPlainDocument(id) ? documentId(fields, id, columns) : undefined;
}

/** Returns a document of values for use as a group ID. The ID omits fields without a value. */
function documentId(fields: SqlFields, id: Document, columns: Columns): SqlField | undefined {
  const members = Object.entries(id).map(([name, expression]) => {
    const field = computedSql(fields, expression);
    const key = field === undefined ? undefined : keyField(field, columns, 'missing');
    return key === undefined ? undefined : ([name, key] as const);
  });
  const known = members.filter((member) => member !== undefined);
  return known.length < members.length ? undefined : { kind: 'document', fields: new Map(known) };
}

function isPlainDocument(id: Document): boolean {
  const names = Object.keys(id);
  return names.length > 0 && !names.some((name) => name.startsWith('$') || name.includes('.'));
}

function keyField(
  field: SqlField,
  columns: Columns,
  absent: 'missing' | 'null',
): SqlField | undefined {
  if (field.kind === 'constant') return field;
  const scalar = toScalar(field);
  const sql = keySql(field);
  if (scalar === undefined || sql === undefined) return undefined;
  const { type, exists } = scalar;
  const key = { kind: 'scalar' as const, type, sql: columns.add(sql) };
  if (absent === 'null') return { ...key, absent };
  return exists === undefined
    ? { ...key, absent: scalar.absent }
    : { ...key, absent, exists: columns.add(exists) };
}

function accumulatorSql(
  source: Selection,
  operator: string,
  operand: unknown,
): SqlField | undefined {
  if (operator === '$count' || (operator === '$sum' && typeof operand === 'number')) {
    const factor = operator === '$count' ? 1 : Number(operand);
    return Number.isFinite(factor)
      ? numberField(factor === 1 ? 'count(*)' : `count(*) * CAST(${String(factor)} AS DOUBLE)`)
      : undefined;
  }
  const field = computedSql(source.fields, operand);
  if (operator === '$first' || operator === '$last') return edgeField(source, operator, field);
  const scalar = toScalar(field);
  if (scalar === undefined) return undefined;
  const { sql, type } = scalar;
  switch (operator) {
    case '$sum':
      return type === 'number' ? numberField(`coalesce(sum(${sql}), 0)`) : constant(0);
    case '$avg':
      return type === 'number' ? numberField(`avg(${sql})`) : constant(null);
    case '$min':
    case '$max':
      return { kind: 'scalar', type, sql: `${operator.slice(1)}(${sql})`, absent: 'null' };
    default:
      return undefined;
  }
}

/** Returns the value of a field in the first or last document. Requires sorted documents. */
function edgeField(
  { order }: Selection,
  operator: '$first' | '$last',
  field: SqlField | undefined,
): SqlField | undefined {
  if (order.length === 0) return undefined;
  const edge = (sql: string): string => edgeSql(operator, sql, order);
  const scalar = toScalar(field);
  if (scalar !== undefined) {
    return { kind: 'scalar', type: scalar.type, sql: edge(scalar.sql), absent: 'null' };
  }
  return field?.kind === 'json' && field.picked === undefined
    ? { ...field, column: edge(jsonSql(field)), path: [], absent: 'null' }
    : undefined;
}

function numberField(sql: string): SqlField {
  return { kind: 'scalar', type: 'number', sql, absent: 'null' };
}

function constant(value: unknown): SqlField {
  return { kind: 'constant', value };
}

/** Returns the whole first or last document. */
function edgeDocument(
  { fields, order }: Selection,
  operator: '$first' | '$last',
  columns: Columns,
): SqlField | undefined {
  if (order.length === 0 || fields.size === 0) return undefined;
  const members: string[] = [];
  const name = columns.next;
  const moved = movedFields(fields, (sql) => {
    const member = `f${String(members.length)}`;
    members.push(`${member} := ${sql}`);
    return `struct_extract(${name}, '${member}')`;
  });
  columns.add(edgeSql(operator, `struct_pack(${members.join(', ')})`, order));
  return { kind: 'document', fields: moved };
}

function edgeSql(operator: '$first' | '$last', sql: string, order: readonly OrderKey[]): string {
  return `${operator.slice(1)}(${sql} ORDER BY ${order.map(orderSql).join(', ')})`;
}

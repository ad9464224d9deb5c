import { toSqlLiteral } from '../../../../../core/model/sqlTokens';
import { getOwn } from '../../../../../base/getOwn';
import { getDayOfWeek, isTimeUnit } from '../dateArithmetic';
import { type Document, isDocument } from '../document';
import { fieldAt, toScalar, type SqlField, type SqlFields } from './sqlField';

/** Returns the field that an expression computes, if SQL computes the same result. */
export function computedSql(fields: SqlFields, expression: unknown): SqlField | undefined {
  if (typeof expression === 'string') return referenceSql(fields, expression);
  if (!isDocument(expression)) return undefined;
  const [[operator, operand] = ['', undefined], ...others] = Object.entries(expression);
  if (others.length > 0) return undefined;
  switch (operator) {
    case '$literal':
      return { kind: 'constant', value: operand };
    case '$dateTrunc':
      return isDocument(operand) ? dateTruncSql(fields, operand) : undefined;
    case '$dateToString':
      return isDocument(operand) ? dateTextSql(fields, operand) : undefined;
    case '$add':
      return arithmeticSql(fields, operand, ' + ');
    case '$subtract':
      return Array.isArray(operand) && operand.length === 2
        ? arithmeticSql(fields, operand, ' - ')
        : undefined;
    case '$multiply':
      return arithmeticSql(fields, operand, ' * ');
    default:
      return datePartSql(fields, operator, operand);
  }
}

/** Translates arithmetic on numbers. The result is null if an operand is null or missing. */
function arithmeticSql(
  fields: SqlFields,
  operands: unknown,
  operator: ' + ' | ' - ' | ' * ',
): SqlField | undefined {
  const parts = (Array.isArray(operands) ? operands : []).map((operand) => {
    if (typeof operand === 'number') {
      return Number.isFinite(operand) ? `CAST(${String(operand)} AS DOUBLE)` : undefined;
    }
    const scalar = toScalar(computedSql(fields, operand));
    return scalar?.type === 'number' ? `CAST(${scalar.sql} AS DOUBLE)` : undefined;
  });
  return parts.length === 0 || parts.includes(undefined)
    ? undefined
    : { kind: 'scalar', type: 'number', sql: `(${parts.join(operator)})`, absent: 'null' };
}

function referenceSql(fields: SqlFields, reference: string): SqlField | undefined {
  const path = reference.slice(1).split('.');
  const isPath = reference.startsWith('$') && !reference.startsWith('$$');
  return isPath ? fieldAt(fields, path) : undefined;
}

/**
 * Returns the SQL for a date expression. The SQL evaluates to NULL for documents without the date.
 */
function toDateSql(fields: SqlFields, expression: unknown): string | undefined {
  const scalar = toScalar(computedSql(fields, expression));
  return scalar?.type === 'date' ? scalar.sql : undefined;
}

/** SQL for date parts in UTC, as MongoDB defines them. */
const PARTS: Readonly<Record<string, (dateSql: string) => string>> = {
  $year: (dateSql) => `year(${dateSql})`,
  $month: (dateSql) => `month(${dateSql})`,
  $dayOfMonth: (dateSql) => `day(${dateSql})`,
  $dayOfWeek: (dateSql) => `dayofweek(${dateSql}) + 1`,
  $isoDayOfWeek: (dateSql) => `isodow(${dateSql})`,
  $dayOfYear: (dateSql) => `dayofyear(${dateSql})`,
  $hour: (dateSql) => `hour(${dateSql})`,
  $minute: (dateSql) => `minute(${dateSql})`,
  $second: (dateSql) => `second(${dateSql})`,
};

function datePartSql(fields: SqlFields, operator: string, operand: unknown): SqlField | undefined {
  const part = getOwn(PARTS, operator);
  const options = isDocument(operand) && 'date' in operand ? operand : { date: operand };
  const dateSql = inUtc(options, ['date']) ? toDateSql(fields, options.date) : undefined;
  return part === undefined || dateSql === undefined
    ? undefined
    : { kind: 'scalar', type: 'number', sql: part(dateSql), absent: 'null' };
}

/** Returns true if a date operator uses UTC and has no options other than the known ones. */
function inUtc(options: Document, known: readonly string[]): boolean {
  return (
    Object.keys(options).every((name) => name === 'timezone' || known.includes(name)) &&
    [undefined, 'UTC', 'GMT', 'Z'].includes(options.timezone as string | undefined)
  );
}

function dateTruncSql(fields: SqlFields, options: Document): SqlField | undefined {
  const { date, unit, binSize = 1, startOfWeek = 'sunday' } = options;
  const dateSql = toDateSql(fields, date);
  const isKnown = inUtc(options, ['date', 'unit', 'binSize', 'startOfWeek']) && isTimeUnit(unit);
  if (dateSql === undefined || !isKnown || typeof startOfWeek !== 'string') return undefined;
  const day = getDayOfWeek(startOfWeek);
  if (typeof binSize !== 'number' || !Number.isInteger(binSize) || binSize < 1 || day === -1) {
    return undefined;
  }
  const size = unit === 'quarter' ? 3 * binSize : binSize;
  // Weeks are counted from the first occurrence of the start of the week in the year 2000, which
  // began on a Saturday.
  const origin = `TIMESTAMP '2000-01-0${String(unit === 'week' ? 1 + ((day + 1) % 7) : 1)}'`;
  // Larger values would exceed the limit of an SQL interval.
  return size > 100_000
    ? undefined
    : {
        kind: 'scalar',
        type: 'date',
        sql: `time_bucket(INTERVAL ${String(size)} ${unit === 'quarter' ? 'month' : unit}, ${dateSql}, ${origin})`,
        absent: 'null',
      };
}

/**
 * Matches formats for which SQL and MongoDB produce the same output if the year has four digits.
 */
const PLAIN_FORMAT = /^(?:%[YmdHMSj]|[^%])*$/u;

function dateTextSql(fields: SqlFields, options: Document): SqlField | undefined {
  const { date, format } = options;
  const dateSql = toDateSql(fields, date);
  const isPlain = typeof format === 'string' && PLAIN_FORMAT.test(format) && !format.includes('\0');
  return dateSql === undefined || !isPlain || !inUtc(options, ['date', 'format'])
    ? undefined
    : {
        kind: 'scalar',
        type: 'text',
        sql: `strftime(${dateSql}, ${toSqlLiteral(format)})`,
        absent: 'null',
      };
}

import type { SchemaElement } from 'hyparquet-writer';
import { formatPlainValue } from '../../data/tables/formatCell';
import { type DataValue, toUnscaled } from '../../data/tables/dataValue';
import { formatJson } from '../../data/tables/formatJson';
import { toWholeMicros } from '../../data/tables/exactTime';
import { BSON, EXTENDED } from '../results/bson/bsonTypes';
import type { ColumnProfile } from '../results/columnProfile';

/** Parquet format of a column. */
export interface ParquetColumn {
  readonly element: SchemaElement;
  /** Converts a value for the Parquet writer. */
  readonly written: (value: DataValue) => unknown;
}

type Shape = Omit<SchemaElement, 'name' | 'repetition_type'>;

interface Form {
  /** BSON types whose values can be written in this format. */
  readonly types: readonly number[];
  readonly shape: Shape;
  readonly written: (value: DataValue) => unknown;
}

const asIs = (value: DataValue): unknown => value;
const formatValue = (value: DataValue): unknown => formatPlainValue(value);
const TEXT: Shape = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
/**
 * Also declared as text, because the writer would encode the values again if they were declared
 * only as JSON.
 */
export const JSON_TEXT: Shape = { ...TEXT, logical_type: { type: 'JSON' } };

/**
 * Formats in order of precedence. A column uses the first format that supports all of its values,
 * or text if there is none.
 */
const FORMS: readonly Form[] = [
  { types: [BSON.boolean], shape: { type: 'BOOLEAN' }, written: asIs },
  { types: [BSON.int32], shape: { type: 'INT32' }, written: asIs },
  {
    types: [BSON.int32, BSON.int64],
    shape: { type: 'INT64' },
    written: (value) => (typeof value === 'number' ? BigInt(value) : value),
  },
  { types: [BSON.double, BSON.int32, BSON.int64], shape: { type: 'DOUBLE' }, written: Number },
  {
    types: [BSON.date],
    shape: {
      ...{ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    // A time that exceeds the range of a JavaScript `Date` is a number.
    written: (value) => (typeof value === 'number' ? BigInt(value) : value),
  },
  {
    types: [BSON.date, EXTENDED.micros],
    shape: {
      ...{ type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    written: (value) => (value instanceof Date ? toWholeMicros(value) : Number(value)),
  },
  {
    types: [EXTENDED.day],
    shape: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    written: asIs,
  },
  { types: [BSON.binary], shape: { type: 'BYTE_ARRAY' }, written: asIs },
  {
    types: [BSON.object, BSON.array],
    shape: JSON_TEXT,
    written: (value) => formatJson(value),
  },
];

/** Returns the Parquet format that fits the types of a column's values. */
export function parquetColumn(name: string, profile: ColumnProfile): ParquetColumn {
  const types = [...profile.types.keys()].filter((type) => !isNullType(type));
  const fits = ({ types: taken, shape }: Form): boolean =>
    types.every((type) => taken.includes(type)) &&
    !(shape.type === 'DOUBLE' && profile.hasLargeNumbers);
  const form = types.length === 0 ? undefined : (FORMS.find(fits) ?? decimalForm(types, profile));
  const { shape, written } = form ?? { shape: TEXT, written: formatValue };
  return {
    element: { name, repetition_type: 'OPTIONAL', ...shape },
    written: (value) => (value === null ? null : written(value)),
  };
}

/** Maximum number of digits in a 16-byte decimal. */
const MAX_DECIMAL_DIGITS = 38;
const DECIMAL_BYTES = 16;
const INT64_DIGITS = 19;

/**
 * Returns the format for a column of decimals, or of decimals and integers, with as many digits as
 * all of its values require.
 */
function decimalForm(
  types: readonly number[],
  { decimalDigits: { before, after: scale } }: ColumnProfile,
): Form | undefined {
  const taken: readonly number[] = [BSON.decimal, BSON.int32, BSON.int64];
  const hasIntegers = types.some((type) => type !== BSON.decimal);
  const precision = Math.max(1, before, hasIntegers ? INT64_DIGITS : 0) + scale;
  if (!types.every((type) => taken.includes(type)) || precision > MAX_DECIMAL_DIGITS)
    return undefined;
  return {
    types: taken,
    shape: {
      ...{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: DECIMAL_BYTES, converted_type: 'DECIMAL' },
      ...{ precision, scale, logical_type: { type: 'DECIMAL', precision, scale } },
    },
    written: (value) => toUnscaled(formatPlainValue(value), scale),
  };
}

function isNullType(type: number): boolean {
  return type === BSON.null || type === BSON.undefined;
}

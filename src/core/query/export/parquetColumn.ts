import type { SchemaElement } from 'hyparquet-writer';
import { plainText } from '../../data/tables/cellText';
import { type DataValue, toUnscaled } from '../../data/tables/dataValue';
import { jsonText } from '../../data/tables/jsonText';
import { microsOf } from '../../data/tables/exactTime';
import { BSON, EXTENDED } from '../results/bson/bsonTypes';
import type { ColumnProfile } from '../results/columnProfile';

/** How the values of a column are written. */
export interface ParquetColumn {
  readonly element: SchemaElement;
  /** A value as the writer of files wants it. */
  readonly written: (value: DataValue) => unknown;
}

type Shape = Omit<SchemaElement, 'name' | 'repetition_type'>;

interface Form {
  /** Values of these types of BSON can be written so. */
  readonly types: readonly number[];
  readonly shape: Shape;
  readonly written: (value: DataValue) => unknown;
}

const asIs = (value: DataValue): unknown => value;
const asText = (value: DataValue): unknown => plainText(value);
const TEXT: Shape = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
/** Told as text as well: what is JSON only, the writer would write once more as JSON. */
export const JSON_TEXT: Shape = { ...TEXT, logical_type: { type: 'JSON' } };

/** The first that takes all values of a column is its form; none: text. */
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
    // A time beyond those of JavaScript is a number.
    written: (value) => (typeof value === 'number' ? BigInt(value) : value),
  },
  {
    types: [BSON.date, EXTENDED.micros],
    shape: {
      ...{ type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    written: (value) => (value instanceof Date ? microsOf(value) : Number(value)),
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
    written: (value) => jsonText(value),
  },
];

/** How to write a column, by what its values are. */
export function parquetColumn(name: string, profile: ColumnProfile): ParquetColumn {
  const types = [...profile.types.keys()].filter((type) => !isNothing(type));
  const fits = ({ types: taken, shape }: Form): boolean =>
    types.every((type) => taken.includes(type)) &&
    !(shape.type === 'DOUBLE' && profile.hasLargeNumbers);
  const form = types.length === 0 ? undefined : (FORMS.find(fits) ?? decimalForm(types, profile));
  const { shape, written } = form ?? { shape: TEXT, written: asText };
  return {
    element: { name, repetition_type: 'OPTIONAL', ...shape },
    written: (value) => (value === null ? null : written(value)),
  };
}

/** Digits that a decimal of 16 bytes holds. */
const MAX_DECIMAL_DIGITS = 38;
const DECIMAL_BYTES = 16;
const INT64_DIGITS = 19;

/** Decimals, and integers among them, with as many digits as all of them need. */
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
    written: (value) => toUnscaled(plainText(value), scale),
  };
}

function isNothing(type: number): boolean {
  return type === BSON.null || type === BSON.undefined;
}

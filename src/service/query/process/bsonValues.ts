import {
  type DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  type DuckDBDecimalValue,
  type DuckDBListValue,
  type DuckDBMapValue,
  type DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { Code } from '@connectrpc/connect';
import { floorDivide } from '../../../base/floorDivide';
import { EXACT_TIME } from '../../../core/model/query';
import type { BsonWriter } from './bsonWriter';
import { JobError } from './jobError';

/** Writes a non-null value as an element in a document. */
type ValueWriter = (out: BsonWriter, name: string, value: DuckDBValue) => void;

const DAY_MS = 86_400_000n;
/** Maximum time of a `Date`, in milliseconds since the Unix epoch. */
const MAX_TIME_MS = 8_640_000_000_000_000n;
const JSON_ALIAS = 'JSON';

/**
 * Returns the writer for values of a type. No value is rounded, with one exception: without
 * `exactValues`, times are rounded to the millisecond precision of BSON dates. Integers are written
 * as the smallest BSON type that can represent them. Decimals are written as a double if it
 * preserves their digits, or otherwise as a decimal. Times and days are written as dates, and JSON
 * as its value. Types without a BSON equivalent are written as text.
 * @param exactValues as in a `SqlJob`.
 */
export function createValueWriter(type: DuckDBType, exactValues: boolean): ValueWriter {
  switch (type.typeId) {
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return (out, name, value) => out.double(name, Number(value));
    case DuckDBTypeId.VARCHAR:
      return type.alias === JSON_ALIAS
        ? (out, name, value) => writeJson(out, name, parseJson(String(value)))
        : (out, name, value) => out.string(name, String(value));
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY: {
      const write = nullable(createValueWriter(type.valueType, exactValues));
      return (out, name, value) => writeItems(out, name, value, write);
    }
    case DuckDBTypeId.STRUCT: {
      // The library assigns members to a plain object, where the value with this name is lost.
      if (type.entryNames.includes('__proto__')) {
        throw new JobError(
          Code.InvalidArgument,
          'a member of a struct in the result has the name __proto__: select it under another name',
        );
      }
      const writers = type.entryTypes.map((entryType) =>
        nullable(createValueWriter(entryType, exactValues)),
      );
      return (out, name, value) => {
        const { entries } = value as DuckDBStructValue;
        out.object(name, () => {
          type.entryNames.forEach((key, i) => writers[i]?.(out, key, entries[key] ?? null));
        });
      };
    }
    case DuckDBTypeId.MAP: {
      const write = nullable(createValueWriter(type.valueType, exactValues));
      return (out, name, value) => {
        const { entries } = value as DuckDBMapValue;
        out.object(name, () =>
          entries.forEach((entry) => write(out, String(entry.key), entry.value)),
        );
      };
    }
    case DuckDBTypeId.UNION:
      return (out, name, value) => {
        const { tag, value: member } = value as DuckDBUnionValue;
        nullable(createValueWriter(type.memberTypeForTag(tag), exactValues))(out, name, member);
      };
    case DuckDBTypeId.DECIMAL:
      return (out, name, value) => {
        const { value: coefficient, scale } = value as DuckDBDecimalValue;
        const double = exactValues ? undefined : toDouble(coefficient, scale);
        if (double === undefined) {
          out.decimal(name, coefficient, scale);
        } else {
          out.double(name, double);
        }
      };
    default:
      return exactValues
        ? (out, name, value) => writeExactTime(out, name, value) || writeScalar(out, name, value)
        : writeScalar;
  }
}

/** Maximum number of digits of a decimal that a double is guaranteed to preserve. */
const DOUBLE_DIGITS = 15;
const ZEROS_AT_END = /0+$/;

/**
 * Returns `coefficient * 10 ** -scale` as a double; undefined if a double can't represent all
 * digits.
 */
function toDouble(coefficient: bigint, scale: number): number | undefined {
  const digits = String(coefficient < 0n ? -coefficient : coefficient);
  return digits.replace(ZEROS_AT_END, '').length > DOUBLE_DIGITS
    ? undefined
    : Number(`${String(coefficient)}e-${String(scale)}`);
}

/** Returns a writer that also supports null. */
export function nullable(write: ValueWriter): ValueWriter {
  return (out, name, value) => {
    if (value === null) {
      out.null(name);
    } else {
      write(out, name, value);
    }
  };
}

function writeItems(out: BsonWriter, name: string, value: DuckDBValue, write: ValueWriter): void {
  const { items } = value as DuckDBListValue | DuckDBArrayValue;
  out.array(name, () => items.forEach((item, index) => write(out, String(index), item)));
}

/**
 * Writes a scalar. Integers and booleans are primitive values; other types are identified by their
 * class.
 */
function writeScalar(out: BsonWriter, name: string, value: DuckDBValue): void {
  if (typeof value === 'boolean') {
    out.boolean(name, value);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    out.integer(name, value);
  } else if (value instanceof DuckDBBlobValue) {
    out.binary(name, value.bytes);
  } else {
    const at = toMilliseconds(value);
    if (at === undefined) {
      out.string(name, String(value));
    } else {
      out.date(name, at);
    }
  }
}

/**
 * Writes a day, or a time that isn't an integer number of milliseconds.
 * @returns true if the value was a day or such a time.
 */
function writeExactTime(out: BsonWriter, name: string, value: DuckDBValue): boolean {
  const at = toMilliseconds(value);
  if (at === undefined) return false;
  if (at > MAX_TIME_MS || at < -MAX_TIME_MS) {
    // The time is out of range for JavaScript dates.
    out.string(name, String(value));
  } else if (value instanceof DuckDBDateValue) {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value.days);
    out.binary(name, bytes, EXACT_TIME.days);
  } else if (value instanceof DuckDBTimestampNanosecondsValue && value.nanos % 1_000_000n !== 0n) {
    out.binary(name, int64Bytes(value.nanos), EXACT_TIME.nanos);
  } else if (hasMicros(value) && value.micros % 1000n !== 0n) {
    out.binary(name, int64Bytes(value.micros), EXACT_TIME.micros);
  } else {
    out.date(name, at);
  }
  return true;
}

function hasMicros(value: DuckDBValue): value is DuckDBTimestampValue | DuckDBTimestampTZValue {
  return value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue;
}

function int64Bytes(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

/**
 * Converts a time to milliseconds since the Unix epoch. Returns undefined if the value is infinite
 * or not a time.
 */
function toMilliseconds(value: DuckDBValue): bigint | undefined {
  if (hasMicros(value)) return value.isFinite ? floorDivide(value.micros, 1000n) : undefined;
  if (value instanceof DuckDBDateValue) {
    return value.isFinite ? BigInt(value.days) * DAY_MS : undefined;
  }
  if (value instanceof DuckDBTimestampMillisecondsValue) {
    return value.isFinite ? value.millis : undefined;
  }
  if (value instanceof DuckDBTimestampSecondsValue) {
    return value.isFinite ? value.seconds * 1000n : undefined;
  }
  if (value instanceof DuckDBTimestampNanosecondsValue) {
    return value.isFinite ? floorDivide(value.nanos, 1_000_000n) : undefined;
  }
  return undefined;
}

/** Integers with at least this many digits might not be representable as doubles. */
const LONG_INTEGER = /\d{16}/;
const INTEGER = /^-?\d+$/;

/** Parses JSON. Integers that a double can't represent become `bigint` values. */
function parseJson(json: string): unknown {
  return LONG_INTEGER.test(json) ? JSON.parse(json, exactInteger) : JSON.parse(json);
}

function exactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || !INTEGER.test(source)) return value;
  const exact = BigInt(source);
  return BigInt(value) === exact ? value : exact;
}

/**
 * Writes a JSON value. As in all readings, its numbers are doubles if a double can represent them.
 */
function writeJson(out: BsonWriter, name: string, value: unknown): void {
  if (typeof value === 'number') {
    out.double(name, value);
  } else if (typeof value === 'bigint') {
    out.integer(name, value);
  } else if (typeof value === 'string') {
    out.string(name, value);
  } else if (typeof value === 'boolean') {
    out.boolean(name, value);
  } else if (Array.isArray(value)) {
    out.array(name, () => value.forEach((item, index) => writeJson(out, String(index), item)));
  } else if (typeof value === 'object' && value !== null) {
    out.object(name, () => {
      for (const [key, member] of Object.entries(value)) {
        writeJson(out, key, member);
      }
    });
  } else {
    out.null(name);
  }
}

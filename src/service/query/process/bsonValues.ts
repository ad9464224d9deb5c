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
import { EXACT_TIME } from '../../../core/model/exactTimes';
import type { BsonWriter } from './bsonWriter';

/** Writes a value, not null, as the element of a document. */
type ValueWriter = (out: BsonWriter, name: string, value: DuckDBValue) => void;

const DAY_MS = 86_400_000n;
/** The last time that a `Date` holds, in milliseconds since the Unix epoch. */
const MAX_TIME_MS = 8_640_000_000_000_000n;
const JSON_ALIAS = 'JSON';

/**
 * Returns what writes values of a type. None is rounded, except times to the milliseconds of BSON's
 * dates without `exactValues`: integers are the smallest of BSON's types that holds them, decimals a
 * double with the same digits or a decimal, times and days dates, JSON the value that it has. What BSON
 * has no type for is text.
 * @param exactValues as in a `SqlJob`.
 */
export function writerOf(type: DuckDBType, exactValues: boolean): ValueWriter {
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
      const write = nullable(writerOf(type.valueType, exactValues));
      return (out, name, value) => writeItems(out, name, value, write);
    }
    case DuckDBTypeId.STRUCT: {
      const writers = type.entryTypes.map((entryType) =>
        nullable(writerOf(entryType, exactValues)),
      );
      return (out, name, value) => {
        const { entries } = value as DuckDBStructValue;
        out.object(name, () => {
          type.entryNames.forEach((key, i) => writers[i]?.(out, key, entries[key] ?? null));
        });
      };
    }
    case DuckDBTypeId.MAP: {
      const write = nullable(writerOf(type.valueType, exactValues));
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
        nullable(writerOf(type.memberTypeForTag(tag), exactValues))(out, name, member);
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

/** A double has every decimal with this many digits: written with as many, it has the same ones. */
const DOUBLE_DIGITS = 15;
const ZEROS_AT_END = /0+$/;

/** The double with the digits of `coefficient * 10 ** -scale`; undefined when it can't have all. */
function toDouble(coefficient: bigint, scale: number): number | undefined {
  const digits = String(coefficient < 0n ? -coefficient : coefficient);
  return digits.replace(ZEROS_AT_END, '').length > DOUBLE_DIGITS
    ? undefined
    : Number(`${String(coefficient)}e-${String(scale)}`);
}

/** The same, with null for null. */
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

/** Integers and booleans are plain values; what is left tells its type by its class. */
function writeScalar(out: BsonWriter, name: string, value: DuckDBValue): void {
  if (typeof value === 'boolean') {
    out.boolean(name, value);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    out.integer(name, value);
  } else if (value instanceof DuckDBBlobValue) {
    out.binary(name, value.bytes);
  } else {
    const at = millisecondsOf(value);
    if (at === undefined) {
      out.string(name, String(value));
    } else {
      out.date(name, at);
    }
  }
}

/** Writes a time that is not a whole number of milliseconds, or a day. @returns whether it was one. */
function writeExactTime(out: BsonWriter, name: string, value: DuckDBValue): boolean {
  const at = millisecondsOf(value);
  if (at === undefined) {
    return false;
  }
  if (at > MAX_TIME_MS || at < -MAX_TIME_MS) {
    // Beyond what programs in JavaScript hold as a time.
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

/** Milliseconds since the Unix epoch; undefined for what is no time, or beyond all times. */
function millisecondsOf(value: DuckDBValue): bigint | undefined {
  if (hasMicros(value)) {
    return value.isFinite ? floorDivide(value.micros, 1000n) : undefined;
  }
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

function floorDivide(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}

/** Integers with this many digits may be none that a double holds. */
const LONG_INTEGER = /\d{16}/;
const INTEGER = /^-?\d+$/;

/** Reads JSON; integers that no double holds become a `bigint`. */
function parseJson(json: string): unknown {
  return LONG_INTEGER.test(json) ? JSON.parse(json, exactInteger) : JSON.parse(json);
}

function exactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return isRounded && context?.source !== undefined && INTEGER.test(context.source)
    ? BigInt(context.source)
    : value;
}

/** A value of JSON; its numbers are doubles, as those of all readings, if doubles hold them. */
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

import {
  type DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
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
import type { BsonWriter } from './bsonWriter';

/** Writes a value, not null, as the element of a document. */
type ValueWriter = (out: BsonWriter, name: string, value: DuckDBValue) => void;

const DAY_MS = 86_400_000n;
const JSON_ALIAS = 'JSON';

/**
 * How values of a type are written: integers as the smallest of BSON's that holds them, all other
 * numbers as doubles, times and days as dates, JSON as what it says. What BSON has no type for is
 * text.
 */
export function writerOf(type: DuckDBType): ValueWriter {
  switch (type.typeId) {
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return (out, name, value) => out.double(name, Number(value));
    case DuckDBTypeId.VARCHAR:
      return type.alias === JSON_ALIAS
        ? (out, name, value) => writeJson(out, name, JSON.parse(String(value)))
        : (out, name, value) => out.string(name, String(value));
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY: {
      const write = nullable(writerOf(type.valueType));
      return (out, name, value) => writeItems(out, name, value, write);
    }
    case DuckDBTypeId.STRUCT: {
      const writers = type.entryTypes.map((entryType) => nullable(writerOf(entryType)));
      return (out, name, value) => {
        const { entries } = value as DuckDBStructValue;
        out.object(name, () => {
          type.entryNames.forEach((key, i) => writers[i]?.(out, key, entries[key] ?? null));
        });
      };
    }
    case DuckDBTypeId.MAP: {
      const write = nullable(writerOf(type.valueType));
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
        nullable(writerOf(type.memberTypeForTag(tag)))(out, name, member);
      };
    default:
      return writeScalar;
  }
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
  } else if (value instanceof DuckDBDecimalValue) {
    out.double(name, value.toDouble());
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

/** Milliseconds since the Unix epoch; undefined for what is no time, or beyond all times. */
function millisecondsOf(value: DuckDBValue): bigint | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
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

/** A value of JSON; its numbers are doubles, as those of all readings. */
function writeJson(out: BsonWriter, name: string, value: unknown): void {
  if (typeof value === 'number') {
    out.double(name, value);
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

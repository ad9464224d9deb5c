import { createRegistry, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf';
import {
  type Any,
  anyUnpack,
  BoolValueSchema,
  DoubleValueSchema,
  FloatValueSchema,
  Int32ValueSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  UInt32ValueSchema,
  UInt64ValueSchema,
  ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { base64Encode } from '@bufbuild/protobuf/wire';

const WIDE_INTEGERS = [Int64ValueSchema, UInt64ValueSchema];

/** Registry of the types that clients pack as values. */
const REGISTRY = createRegistry(
  ...[BoolValueSchema, StringValueSchema, DoubleValueSchema, FloatValueSchema],
  ...[Int32ValueSchema, UInt32ValueSchema, ...WIDE_INTEGERS],
  ...[StructSchema, ListValueSchema, ValueSchema],
);

/**
 * Returns the parameters of a capture as lines for `linesOf`. The lines are the members of a JSON
 * object in canonical order and notation, so equal parameters produce equal text.
 */
export function parameterLines(parameters: JsonObject): string[] {
  return Object.entries(parameters)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(sorted(value))}`)
    .sort();
}

/** Parses the result of `parameterLines`. */
export function parseParameterLines(lines: readonly string[]): JsonObject {
  return JSON.parse(`{${lines.join(',')}}`) as JsonObject;
}

/**
 * Converts packed values to JSON. Preserves the type name and bytes of values whose type is
 * unknown.
 */
export function unpackParameters(packed: Readonly<Record<string, Any>>): JsonObject {
  return Object.fromEntries(Object.entries(packed).map(([name, any]) => [name, unpackValue(any)]));
}

function unpackValue(any: Any): JsonValue {
  try {
    const message = anyUnpack(any, REGISTRY);
    const schema = message && REGISTRY.getMessage(message.$typeName);
    if (message && schema) {
      const value = toJson(schema, message);
      const isWide = WIDE_INTEGERS.some(({ typeName }) => typeName === schema.typeName);
      return isWide && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
  } catch {
    // If bytes don't match their type, the value is treated like a value of unknown type.
  }
  return { '@type': any.typeUrl, value: base64Encode(any.value) };
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, child]) => [name, sorted(child)]));
}

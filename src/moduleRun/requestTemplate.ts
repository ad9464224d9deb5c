import {
  create,
  type DescField,
  type DescMessage,
  type JsonObject,
  toJson,
} from '@bufbuild/protobuf';
import type { JsonValue } from '@bufbuild/protobuf';

/** Maximum depth of nested messages in a template. */
const MAX_DEPTH = 4;
/**
 * Fields that contain the name of the resource. The field is called `name` except in a few APIs.
 */
const NAME_FIELDS: ReadonlySet<string> = new Set(['name', 'controller', 'board_name']);
const NAME_NUMBER = 1;
/** Field that most requests have but few callers use. */
const EXTRA_FIELD = 'extra';

/** Finds the field of a request that contains the name of the resource. */
export function findNameField(input: DescMessage): DescField | undefined {
  return input.fields.find(({ name, number }) => number === NAME_NUMBER && NAME_FIELDS.has(name));
}

/**
 * Returns a request as JSON that contains a value for each field except the resource's name and the
 * extra parameters.
 */
export function createRequestTemplate(input: DescMessage): JsonObject {
  const nameField = findNameField(input);
  const fields = input.fields.filter((field) => field !== nameField && field.name !== EXTRA_FIELD);
  return createFields(input, fields, MAX_DEPTH);
}

function createFields(
  message: DescMessage,
  fields: readonly DescField[],
  depth: number,
): JsonObject {
  const defaults = toJson(message, create(message), { alwaysEmitImplicit: true }) as JsonObject;
  const entries = fields.flatMap((field): [string, JsonValue][] => {
    const preset = defaults[field.jsonName];
    if (preset !== undefined) return [[field.jsonName, preset]];
    // Users add optional fields and the selected member of a oneof themselves.
    if (field.fieldKind !== 'message' || field.oneof) return [];
    return [[field.jsonName, createMessage(field.message, depth - 1)]];
  });
  return Object.fromEntries(entries);
}

function createMessage(message: DescMessage, depth: number): JsonValue {
  switch (message.typeName) {
    case 'google.protobuf.Struct':
      return {};
    case 'google.protobuf.Duration':
      return '0s';
    case 'google.protobuf.Timestamp':
      return '1970-01-01T00:00:00Z';
  }
  if (message.typeName.startsWith('google.protobuf.')) return null;
  return depth > 0 ? createFields(message, message.fields, depth) : {};
}

import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { FleetError } from './errors';

/**
 * Parses the JSON text of an object for the API's `Struct` type. Throws `invalid` for any other
 * text.
 */
export function parseConfig(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FleetError('invalid', `This is not valid JSON: ${reason}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FleetError('invalid', 'This must be a JSON object, written in { and }.');
  }
  return value;
}

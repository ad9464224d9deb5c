import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isRecord } from '../../base/isRecord';

/** Returns true if a JSON value is an object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isRecord(value);
}

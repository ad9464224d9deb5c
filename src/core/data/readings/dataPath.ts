import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** Keys from a reading's payload down to a value. */
export type DataPath = readonly string[];

/** What would be read as a step, a quotation or a line of its own. */
const AMBIGUOUS = /[.[\]"\p{Cc}]|^$/u;

/**
 * The name of what is at a path, such as `data.readings.temperature.celsius`, by which queries know it too.
 * Keys that would be taken for several, or for none, are in quotes, so that no two paths share a name.
 */
export function nameOfPath(path: DataPath): string {
  return path.reduce(
    (name, key) => (AMBIGUOUS.test(key) ? `${name}[${JSON.stringify(key)}]` : `${name}.${key}`),
    'data',
  );
}

/** Whether a value has columns of its own instead of being in one. */
export function isBranch(value: JsonValue | undefined): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}

import { nearestName } from '../../../base/nearestName';
import type { QuerySchema, SchemaField } from './querySchema';

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Returns true if a sampled payload has a value at a path. */
export function pathExists({ fields }: QuerySchema, path: readonly string[]): boolean {
  return fields.some((field) => startsWith(field.path, path) || isOpen(field, path));
}

/** Returns the distinct direct child fields of a path. */
export function fieldsWithin(
  { fields }: QuerySchema,
  path: readonly string[],
): readonly SchemaField[] {
  return fields.filter(
    (field) => field.path.length === path.length + 1 && startsWith(field.path, path),
  );
}

/** Returns the path to the known field that is most similar to an unknown field. */
export function nearestField(
  { fields }: QuerySchema,
  path: readonly string[],
): readonly string[] | undefined {
  const byName = new Map(fields.map((field) => [spellPath(field.path), field.path]));
  const near = nearestName(spellPath(path), byName.keys());
  if (near !== undefined) return byName.get(near);
  // The parents might be missing or wrong, as in `data.temperature` instead of
  // `data.readings.temperature`.
  return fields.find((field) => field.path.at(-1) === path.at(-1))?.path;
}

/** Formats a path for SQL, without its column. */
export function spellPath(path: readonly string[]): string {
  return path
    .map((name) => (PLAIN_NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`))
    .join('.');
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

/**
 * Returns true if a field can contain unknown fields, because the contents of lists and of values
 * with multiple types are not sampled.
 */
function isOpen({ path, type }: SchemaField, target: readonly string[]): boolean {
  return (type === 'list' || type === 'mixed') && startsWith(target, path);
}

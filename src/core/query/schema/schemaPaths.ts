import { nearestName } from '../../../base/nearestName';
import type { QuerySchema, SchemaField } from './querySchema';

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Whether a payload that was looked at has something at a path. */
export function pathExists({ fields }: QuerySchema, path: readonly string[]): boolean {
  return fields.some((field) => startsWith(field.path, path) || isOpen(field, path));
}

/** The fields right within a path, each once. */
export function fieldsWithin(
  { fields }: QuerySchema,
  path: readonly string[],
): readonly SchemaField[] {
  return fields.filter(
    (field) => field.path.length === path.length + 1 && startsWith(field.path, path),
  );
}

/** The path of a field that was most likely meant by one that no payload has. */
export function nearestField(
  { fields }: QuerySchema,
  path: readonly string[],
): readonly string[] | undefined {
  const byName = new Map(fields.map((field) => [spellPath(field.path), field.path]));
  const near = nearestName(spellPath(path), byName.keys());
  if (near !== undefined) return byName.get(near);
  // Such as `data.temperature` for `data.readings.temperature`.
  return fields.find((field) => field.path.at(-1) === path.at(-1))?.path;
}

/** A path as SQL has it, without the column that it is in. */
export function spellPath(path: readonly string[]): string {
  return path
    .map((name) => (PLAIN_NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`))
    .join('.');
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

/** Whatever is in lists and in values of several types was not looked at. */
function isOpen({ path, type }: SchemaField, wanted: readonly string[]): boolean {
  return (type === 'list' || type === 'mixed') && startsWith(wanted, path);
}

import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { invalid } from '../errors';
import { checkJsonInSteps } from './jsonLimits';
import { isJsonObject } from './isJsonObject';

/** Sections of a config that are lists of objects. A fragment can also be listed by its ID. */
const OBJECT_LISTS = [
  'components',
  'services',
  'modules',
  'packages',
  'remotes',
  'processes',
  'jobs',
  'triggers',
  'fragment_mods',
] as const;

/**
 * Sections that can't contain multiple entries with the same name, because they would be ambiguous.
 */
const NAMED_LISTS = ['components', 'modules', 'remotes'] as const;

/**
 * Rejects, in small steps, a config that no machine could load. Ignores unknown fields and
 * sections, because modules can define their own.
 * @throws InvalidArgument with the path of the first problem.
 */
export function* checkConfig(config: JsonObject, field: string): Generator<undefined, void, void> {
  yield* checkJsonInSteps(config, field);
  for (const section of OBJECT_LISTS) {
    for (const [index, entry] of getList(config, section, field).entries()) {
      if (!isJsonObject(entry)) {
        throw invalid(`${field}.${section}[${String(index)}]: must be an object`);
      }
    }
  }
  for (const [index, entry] of getList(config, 'fragments', field).entries()) {
    const id = isJsonObject(entry) ? entry.id : entry;
    if (typeof id !== 'string' || id === '') {
      throw invalid(
        `${field}.fragments[${String(index)}]: must be a fragment ID or an object with an id`,
      );
    }
  }
  for (const section of NAMED_LISTS) {
    checkNames(getList(config, section, field), `${field}.${section}`);
  }
}

function checkNames(entries: JsonValue[], path: string): void {
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const name = isJsonObject(entry) ? entry.name : undefined;
    if (name !== undefined && typeof name !== 'string') {
      throw invalid(`${path}[${String(index)}].name: must be a string`);
    }
    if (name !== undefined && name !== '' && seen.has(name)) {
      throw invalid(`${path}[${String(index)}].name: "${name}" is used twice`);
    }
    seen.add(name ?? '');
  }
}

function getList(config: JsonObject, section: string, field: string): JsonValue[] {
  const value = config[section];
  if (value === undefined || value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw invalid(`${field}.${section}: must be a list`);
  }
  return value;
}

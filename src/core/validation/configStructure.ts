import { isRecord } from '../../base/isRecord';
import { getOwn } from '../../base/getOwn';
/**
 * Maximum nesting depth of JSON. Protobuf decoders in several languages accept 100 levels, and each
 * JSON level uses three of them. With a higher limit, clients could write values that they could
 * never read.
 */
export const MAX_JSON_DEPTH = 30;

/** Maximum size of JSON text for configs and metadata. */
export const MAX_JSON_MEBIBYTES = 4;

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

/** Sections that `findRejections` reads. */
export const CHECKED_SECTIONS: readonly string[] = [...OBJECT_LISTS, 'fragments'];

/** Reason that the service doesn't save a config. */
export interface ConfigRejection {
  readonly kind: 'notAList' | 'notAnObject' | 'notAFragment' | 'nameNotAString' | 'duplicateName';
  /** Path of the rejected value in the config. */
  readonly path: readonly [section: string, index?: number, key?: 'name'];
  /** The name that is used twice; empty for the other kinds. */
  readonly name: string;
}

/**
 * Returns the reasons for which the service rejects the structure of a config, by section. Ignores
 * unknown fields and sections, because modules can define their own. The service uses this function
 * to reject configs, and the editor and the command line use it to predict the rejection.
 *
 * @param config parsed config; only the sections, the types of their entries, and the entries'
 *   `name` and `id` matter
 */
export function* findRejections(
  config: Readonly<Record<string, unknown>>,
): Generator<ConfigRejection, void, void> {
  for (const section of CHECKED_SECTIONS) {
    const value = getOwn(config, section) ?? undefined;
    if (value !== undefined && !Array.isArray(value) && !isVariable(value)) {
      yield { kind: 'notAList', path: [section], name: '' };
    }
  }
  for (const section of OBJECT_LISTS) {
    for (const [index, entry] of getList(config, section).entries()) {
      if (!isRecord(entry)) yield { kind: 'notAnObject', path: [section, index], name: '' };
    }
  }
  for (const [index, entry] of getList(config, 'fragments').entries()) {
    const id = isRecord(entry) ? entry.id : entry;
    if (typeof id !== 'string' || id === '') {
      yield { kind: 'notAFragment', path: ['fragments', index], name: '' };
    }
  }
  for (const section of NAMED_LISTS) yield* findNameProblems(config, section);
}

function* findNameProblems(
  config: Readonly<Record<string, unknown>>,
  section: string,
): Generator<ConfigRejection, void, void> {
  const seen = new Set<string>();
  for (const [index, entry] of getList(config, section).entries()) {
    const name = isRecord(entry) && Object.hasOwn(entry, 'name') ? entry.name : undefined;
    if (typeof name === 'string') {
      if (name !== '' && seen.has(name)) {
        yield { kind: 'duplicateName', path: [section, index, 'name'], name };
      }
      seen.add(name);
    } else if (name !== undefined && !isVariable(name)) {
      yield { kind: 'nameNotAString', path: [section, index, 'name'], name: '' };
    }
  }
}

function getList(config: Readonly<Record<string, unknown>>, section: string): unknown[] {
  const value = getOwn(config, section);
  return Array.isArray(value) ? value : [];
}

/** Returns true for a placeholder whose value each machine that uses the fragment provides. */
function isVariable(value: unknown): boolean {
  return isRecord(value) && Object.hasOwn(value, '$variable');
}

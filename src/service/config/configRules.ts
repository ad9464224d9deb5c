import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { invalid } from '../errors';
import { checkJsonInSteps } from './jsonLimits';
import { isJsonObject } from './isJsonObject';
import { MAX_NESTING } from '../../core/fragments/resolveConfig';
import { listNestedFragments, measureNesting, writeNestedFragments } from '../store/fragmentUses';
import type { StoreAccess } from '../store/store';

/** Sections in a config that are lists of objects. A fragment can also be listed by its ID. */
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
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(`${field}.${section}: must be a list`);
  return value;
}

const MEBIBYTE = 1024 * 1024;

/**
 * Maximum number of bytes in a response for an organization's own configs and for other
 * organizations' configs.
 */
export interface BudgetLimits {
  own: number;
  others: number;
}

/**
 * JSON text is sent as Structs, which can be several times as large. Messages are limited to 64
 * MiB.
 */
const CONFIG_LIMITS: BudgetLimits = { own: 16 * MEBIBYTE, others: 4 * MEBIBYTE };

/**
 * Determines which configs still fit into one response, so that a list request never fails because
 * of the response size. Configs from other organizations have a separate limit and can't displace
 * an organization's own configs.
 */
export class ConfigBudget {
  readonly #left: BudgetLimits;
  #isExceeded = false;

  constructor(limits = CONFIG_LIMITS) {
    this.#left = { ...limits };
  }

  /** True if any item didn't fit. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /**
   * Reserves space for an item if it fits.
   * @param bytes size of the config or of another listed item.
   */
  tryConsume(whose: keyof BudgetLimits, bytes: number): boolean {
    if (bytes > this.#left[whose]) {
      this.#isExceeded = true;
      return false;
    }
    this.#left[whose] -= bytes;
    return true;
  }
}

/**
 * Records which fragments a fragment's new config uses. Must run in the transaction that writes the
 * config, so that a rejection rolls back the write. The config can refer to nonexistent fragments,
 * because it might have been imported from another service.
 * @param childIds distinct IDs of the fragments in the new config.
 * @throws InvalidArgument if the fragment would contain itself, or if fragments would be nested too
 *   deeply, either in this fragment or in one that uses it.
 */
export async function nestFragments(
  access: StoreAccess,
  fragmentId: string,
  childIds: readonly string[],
): Promise<void> {
  const present = new Set(await listNestedFragments(access, fragmentId));
  if (childIds.length === present.size && childIds.every((id) => present.has(id))) return;
  await writeNestedFragments(access, fragmentId, childIds);
  const { levels, circular } = await measureNesting(access, fragmentId, MAX_NESTING);
  if (circular) throw invalid('config.fragments: the fragment would contain itself');
  if (levels > MAX_NESTING) {
    throw invalid(
      `config.fragments: fragments would be nested more than ${String(MAX_NESTING)} levels deep, including those that use this one`,
    );
  }
}

import { forEachBounded } from '../../base/bounded';
import type { ConfigValue } from '../fragments/configValue';
import {
  type FragmentReference,
  listReferences,
  toReferenceKey,
} from '../fragments/fragmentImport';
import { MAX_NESTING } from '../fragments/resolveConfig';
import type { Fragment } from '../model/entities';
import type { LoadedFragments } from '../stores/loadFragments';
import type { FleetCatalog } from './fleetCatalog';

/** Maximum number of fragments to read for one config. Any further fragments remain unknown. */
const MAX_FRAGMENTS = 100;

const CONCURRENT_READS = 4;

/**
 * Reads the fragments in a config, level by level, through the catalog, which caches them. Skips the
 * contents of the fragment to which the config belongs, and fragments that don't exist or can't be
 * read.
 *
 * @param fragmentId ID of the fragment to which the config belongs; undefined for another config
 * @param parse returns the config of a fragment
 * @returns undefined if a fragment can't be read at the moment.
 */
export async function loadNestedFragments(
  catalog: Pick<FleetCatalog, 'fragment'>,
  fragmentId: string | undefined,
  config: ConfigValue,
  parse: (fragment: Fragment) => ConfigValue = parseFragment,
): Promise<LoadedFragments | undefined> {
  const read = new Map<string, Fragment | undefined>();
  const configs = new Map<string, ConfigValue>();
  let own: Fragment | undefined;
  const unreadable: string[] = [];
  const readFragment = async ({
    id,
    version,
  }: FragmentReference): Promise<Fragment | undefined> => {
    const result = await catalog.fragment(id, version);
    if (result === undefined) unreadable.push(id);
    return result?.value;
  };
  let level = listReferences(config);
  for (let depth = 1; depth < MAX_NESTING && level.length > 0; depth += 1) {
    const others = level.filter(({ id }) => id !== fragmentId);
    const unread = new Map(others.map((reference) => [toReferenceKey(reference), reference]));
    const missing = [...unread]
      .filter(([key]) => !read.has(key))
      .slice(0, Math.max(0, MAX_FRAGMENTS - read.size));
    await forEachBounded(missing, CONCURRENT_READS, async ([key, reference]) => {
      read.set(key, await readFragment(reference));
    });
    // For messages about the cycle, which contain the name.
    if (fragmentId !== undefined && others.length < level.length) {
      own ??= await readFragment({ id: fragmentId, version: undefined });
    }
    if (unreadable.length > 0) return undefined;
    level = missing.flatMap(([key]) => {
      const fragment = read.get(key);
      if (!fragment) return [];
      const nested = parse(fragment);
      configs.set(key, nested);
      return listReferences(nested);
    });
  }
  const fragments = [...read.values(), own].filter((one) => one !== undefined);
  const names = new Map<string, string>(fragments.map(({ id, name }) => [id, name]));
  return {
    lookup: (id, version) => configs.get(toReferenceKey({ id, version })),
    getName: (id) => names.get(id),
  };
}

/** Parses the config of a fragment. */
export function parseFragment({ configText }: Fragment): ConfigValue {
  return JSON.parse(configText) as ConfigValue;
}

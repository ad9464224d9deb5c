import { forEachBounded } from '../../base/bounded';
import type { ConfigValue } from '../fragments/configValue';
import { parseImports } from '../fragments/fragmentImport';
import { MAX_NESTING } from '../fragments/resolveConfig';
import type { Fragment } from '../model/entities';
import type { LoadedFragments } from '../stores/loadFragments';
import type { FleetCatalog } from './fleetCatalog';

/** Maximum number of fragments to read for one config. Any further fragments remain unknown. */
const MAX_FRAGMENTS = 100;

const CONCURRENT_READS = 4;

interface FragmentReference {
  readonly id: string;
  readonly version: string | undefined;
}

/**
 * Reads the fragments in a fragment's config, level by level, through the catalog, which caches
 * them. Skips the fragment itself, and fragments that don't exist or can't be read.
 *
 * @param fragmentId ID of the fragment to which the config belongs
 * @returns undefined if a fragment can't be read at the moment.
 */
export async function loadNestedFragments(
  catalog: Pick<FleetCatalog, 'fragment'>,
  fragmentId: string,
  config: ConfigValue,
): Promise<LoadedFragments | undefined> {
  const read = new Map<string, Fragment | undefined>();
  const configs = new Map<string, ConfigValue>();
  let isPaused = false;
  let level = listReferences(config, fragmentId);
  for (let depth = 1; depth < MAX_NESTING && level.length > 0; depth += 1) {
    const unread = new Map(level.map((reference) => [toKey(reference), reference]));
    const missing = [...unread]
      .filter(([key]) => !read.has(key))
      .slice(0, Math.max(0, MAX_FRAGMENTS - read.size));
    await forEachBounded(missing, CONCURRENT_READS, async ([key, { id, version }]) => {
      const result = await catalog.fragment(id, version);
      isPaused ||= result === undefined;
      read.set(key, result?.value);
    });
    if (isPaused) return undefined;
    level = missing.flatMap(([key]) => {
      const fragment = read.get(key);
      if (!fragment) return [];
      const nested = JSON.parse(fragment.configText) as ConfigValue;
      configs.set(key, nested);
      return listReferences(nested, fragmentId);
    });
  }
  const fragments = [...read.values()].filter((one) => one !== undefined);
  const names = new Map<string, string>(fragments.map(({ id, name }) => [id, name]));
  return {
    lookup: (id, version) => configs.get(toKey({ id, version })),
    getName: (id) => names.get(id),
  };
}

function listReferences(config: ConfigValue, fragmentId: string): FragmentReference[] {
  return parseImports(config).filter(({ id, disabled }) => !disabled && id !== fragmentId);
}

function toKey({ id, version }: FragmentReference): string {
  return JSON.stringify([id, version ?? '']);
}

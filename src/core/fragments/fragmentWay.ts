import { parseImports } from './fragmentImport';

/** Import path by which a config uses a fragment. */
export interface FragmentWay {
  /**
   * Fragments between the config and the target, outermost first; empty if the config references
   * the target directly.
   */
  readonly through: readonly string[];
  /** True if every import path to the fragment contains a disabled import. */
  readonly disabled: boolean;
}

/** Returns the config of a fragment; undefined if it can't be read. */
export type ReadFragment = (id: string) => unknown;

/**
 * Returns the shortest import path by which a config uses a fragment; undefined if the config
 * doesn't use the fragment.
 */
export function findFragmentWay(
  config: unknown,
  id: string,
  read: ReadFragment,
): FragmentWay | undefined {
  const enabled = shortestWay(config, id, read, false);
  if (enabled) return { through: enabled, disabled: false };
  const disabled = shortestWay(config, id, read, true);
  return disabled && { through: disabled, disabled: true };
}

/**
 * Returns the fragments that configs reference, directly or through other fragments, at any depth.
 */
export function fragmentsNamedBy(
  configs: readonly unknown[],
  read: ReadFragment,
): ReadonlySet<string> {
  const named = new Set<string>();
  let waiting = configs;
  while (waiting.length > 0) {
    const fresh = waiting
      .flatMap((config) => parseImports(config).map(({ id }) => id))
      .filter((id, index, all) => !named.has(id) && all.indexOf(id) === index);
    for (const id of fresh) named.add(id);
    waiting = fresh.map(read);
  }
  return named;
}

/** Finds the shortest import path. Cycles end because every fragment is visited only once. */
function shortestWay(
  config: unknown,
  id: string,
  read: ReadFragment,
  throughDisabled: boolean,
): readonly string[] | undefined {
  const seen = new Set<string>();
  let level: { readonly config: unknown; readonly through: readonly string[] }[] = [
    { config, through: [] },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { config: here, through } of level) {
      for (const use of parseImports(here)) {
        if (use.disabled && !throughDisabled) continue;
        if (use.id === id) return through;
        if (seen.has(use.id)) continue;
        seen.add(use.id);
        next.push({ config: read(use.id), through: [...through, use.id] });
      }
    }
    level = next;
  }
  return undefined;
}

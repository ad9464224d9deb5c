import type { Localizer } from '../../base/localizer';
import { inSlices } from '../../base/slices';
import { checkConfigInSteps } from '../configChecks/checkConfig';
import { getEntryIdentity, toSections } from '../fragments/configSections';
import { isObject } from '../fragments/configValue';
import type { ResolvedConfig } from '../fragments/resolveConfig';
import { parseConfigInSteps, type ParsedConfig } from './resolvedText';

/** Sections whose entries a machine runs or loads. */
const RESOURCE_SECTIONS: readonly string[] = [
  'components',
  'services',
  'remotes',
  'modules',
  'packages',
  'processes',
  'jobs',
  'fragments',
];

/** Effects of a save that should be confirmed first. */
export interface SaveRisk {
  /** Names of the resources that the config no longer contains. */
  readonly removed: readonly string[];
  /** Messages of the problems that the saved config doesn't have. */
  readonly newProblems: readonly string[];
  /** Number of other parts that get the change, because they use the fragment. */
  readonly partCount: number;
}

/** Config, and the same config with its fragments applied if they are known. */
export interface ConfigVersion {
  /** Undefined if the text isn't JSON. */
  readonly parsed: ParsedConfig | undefined;
  readonly resolved?: Pick<ResolvedConfig, 'config'> | undefined;
}

/** Parses a config for a comparison. */
export function parseVersion(text: string): Promise<ParsedConfig | undefined> {
  return inSlices(parseConfigInSteps(text));
}

/**
 * Compares a config with the saved one. Without the resolved configs, a resource that moves to a
 * fragment counts as removed. Text that isn't a JSON object has no risk, because it can't be saved.
 */
export async function findSaveRisk(
  saved: ConfigVersion,
  edited: ConfigVersion,
  options: { readonly isFragment: boolean; readonly partCount: number; readonly l10n: Localizer },
): Promise<SaveRisk> {
  const { isFragment, partCount, l10n } = options;
  const check = async ({ parsed, resolved }: ConfigVersion): Promise<readonly string[]> => {
    if (!parsed) return [];
    const found = await inSlices(checkConfigInSteps(parsed.tree, { resolved, isFragment, l10n }));
    return found
      .filter(({ severity }) => severity === 'error' || severity === 'warning')
      .map(({ message }) => message);
  };
  return {
    removed: withoutEach(listResources(saved), listResources(edited), (name) => name),
    newProblems: withoutEach(await check(edited), await check(saved), (message) => message),
    partCount,
  };
}

/** Returns true if a save should be confirmed. */
export function isRisky({ removed, newProblems, partCount }: SaveRisk): boolean {
  return removed.length > 0 || newProblems.length > 0 || partCount > 0;
}

function listResources({ parsed, resolved }: ConfigVersion): readonly string[] {
  const config = resolved?.config ?? parsed?.value;
  if (config === undefined || !isObject(config)) return [];
  const sections = toSections(config);
  return RESOURCE_SECTIONS.flatMap((name) => {
    const section = sections.get(name);
    // The resolved config contains the resources of the fragments.
    if (section?.kind !== 'list' || (resolved && name === 'fragments')) return [];
    return section.entries.flatMap(({ value }) => {
      return typeof value === 'string' ? value : (getEntryIdentity(name, value) ?? []);
    });
  });
}

/** Returns `items` without one occurrence of each of the others, which are compared by their keys. */
export function withoutEach<T>(
  items: readonly T[],
  others: readonly T[],
  toKey: (item: T) => string,
): readonly T[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(toKey(other), (counts.get(toKey(other)) ?? 0) + 1);
  return items.filter((item) => {
    const key = toKey(item);
    const count = counts.get(key) ?? 0;
    if (count > 0) counts.set(key, count - 1);
    return count === 0;
  });
}

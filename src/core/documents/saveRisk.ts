import type { Localizer } from '../../base/localizer';
import { inSlices } from '../../base/slices';
import { checkConfigInSteps } from '../configChecks/checkConfig';
import { getEntryIdentity, toSections } from '../fragments/configSections';
import { type ConfigValue, isObject } from '../fragments/configValue';
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
  /** Names of the resources that the config no longer contains, without those in `renamed`. */
  readonly removed: readonly string[];
  /** Resources that have another name than in the saved config and are otherwise equal. */
  readonly renamed: readonly RenamedResource[];
  /** Messages of the problems that the saved config doesn't have. */
  readonly newProblems: readonly string[];
  /** Number of other parts that get the change, because they use the fragment. */
  readonly partCount: number;
}

/** Names of a resource before and after a save. */
export interface RenamedResource {
  readonly from: string;
  readonly to: string;
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
    const checks = { resolved, isFragment, hasTypeChecks: true, l10n };
    const found = await inSlices(checkConfigInSteps(parsed.tree, checks));
    return found
      .filter(({ severity }) => severity === 'error' || severity === 'warning')
      .map(({ message }) => message);
  };
  const before = listResources(saved);
  const after = listResources(edited);
  const removed = withoutEach(before, after, ({ name }) => name);
  const added = withoutEach(after, before, ({ name }) => name);
  const renames = findRenames(removed, added);
  return {
    removed: removed.filter((one) => !renames.has(one)).map(({ name }) => name),
    renamed: [...renames].map(([{ name }, to]) => ({ from: name, to: to.name })),
    newProblems: withoutEach(await check(edited), await check(saved), (message) => message),
    partCount,
  };
}

/** Returns true if a save should be confirmed. */
export function isRisky({ removed, newProblems, partCount }: SaveRisk): boolean {
  return removed.length > 0 || newProblems.length > 0 || partCount > 0;
}

/** Keys that can contain the name of an entry. */
const IDENTITY_KEYS: ReadonlySet<string> = new Set(['name', 'id', 'pattern']);

/** Entry that a machine runs or loads. */
interface Resource {
  readonly section: string;
  readonly name: string;
  readonly value: ConfigValue;
}

function listResources({ parsed, resolved }: ConfigVersion): readonly Resource[] {
  const config = resolved?.config ?? parsed?.value;
  if (config === undefined || !isObject(config)) return [];
  const sections = toSections(config);
  return RESOURCE_SECTIONS.flatMap((name) => {
    const section = sections.get(name);
    // The resolved config contains the resources of the fragments.
    if (section?.kind !== 'list' || (resolved && name === 'fragments')) return [];
    return section.entries.flatMap(({ value }): Resource[] => {
      const identity = typeof value === 'string' ? value : getEntryIdentity(name, value);
      return identity === undefined ? [] : [{ section: name, name: identity, value }];
    });
  });
}

/**
 * Maximum number of removed or added resources for which renames are found. A rename changes few
 * resources.
 */
const MAX_COMPARED = 200;

/**
 * Returns the removed resources that an added one of the same section equals except for its name,
 * and for its references to other renamed resources.
 */
function findRenames(
  removed: readonly Resource[],
  added: readonly Resource[],
): ReadonlyMap<Resource, Resource> {
  const renames = new Map<Resource, Resource>();
  if (removed.length > MAX_COMPARED || added.length > MAX_COMPARED) return renames;
  const names = new Map<string, string>();
  for (let isDone = false; !isDone;) {
    isDone = true;
    const taken = new Set(renames.values());
    const left = new Map<string, Resource[]>();
    for (const one of added) {
      if (taken.has(one)) continue;
      const key = toContentKey(one, new Map());
      left.set(key, [...(left.get(key) ?? []), one]);
    }
    for (const one of removed) {
      // An entry in `fragments` has no content that would identify it under another ID.
      if (renames.has(one) || one.section === 'fragments') continue;
      const match = left.get(toContentKey(one, names))?.shift();
      if (!match) continue;
      renames.set(one, match);
      names.set(one.name, match.name);
      isDone = false;
    }
  }
  return renames;
}

/** Returns a resource's section and its content without its name, with other names replaced. */
function toContentKey(
  { section, name, value }: Resource,
  names: ReadonlyMap<string, string>,
): string {
  const replace = (_: string, inner: unknown): unknown =>
    typeof inner === 'string' ? (names.get(inner) ?? inner) : inner;
  const content = isObject(value)
    ? Object.entries(value).filter(([key, inner]) => inner !== name || !IDENTITY_KEYS.has(key))
    : value;
  return JSON.stringify([section, content], replace);
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

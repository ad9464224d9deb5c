import type { Localizer } from '../../base/localizer';
import { inSlices } from '../../base/slices';
import type { KnownModules } from '../configChecks/checkModules';
import {
  type CheckedResolution,
  checkResolvedConfigInSteps,
  findNewDiagnostics,
  isProblem,
  type ResolvedDiagnostic,
  withoutEach,
} from '../configChecks/checkResolvedConfig';
import { getEntryIdentity, toSections } from '../fragments/configSections';
import { type ConfigValue, isList, isObject } from '../fragments/configValue';
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
  /** Number of other parts that use the fragment and get the change; undefined if it is unknown. */
  readonly partCount: number | undefined;
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
  readonly resolved?: CheckedResolution | undefined;
  /** Modules of the resolved config that were read from the registry. */
  readonly modules?: KnownModules | undefined;
}

interface RiskOptions {
  readonly isFragment: boolean;
  readonly partCount: number | undefined;
  readonly l10n: Localizer;
}

/** Reads the fragments and modules of both versions; undefined if those of one can't be read. */
type LoadVersions = (
  saved: ParsedConfig,
  edited: ParsedConfig,
) => Promise<readonly [ConfigVersion, ConfigVersion] | undefined>;

/**
 * Compares the text of a config with the saved one, both with their fragments and modules, or both
 * without. A comparison with fragments needs those of both versions.
 */
export async function findTextRisk(
  { saved, edited }: { readonly saved: string; readonly edited: string },
  load: LoadVersions,
  options: RiskOptions & { readonly signal?: AbortSignal },
): Promise<SaveRisk> {
  const before = await inSlices(parseConfigInSteps(saved), options.signal);
  const after = await inSlices(parseConfigInSteps(edited), options.signal);
  const versions = before && after && (await load(before, after));
  const [original, changed] = versions ?? [{ parsed: before }, { parsed: after }];
  return findSaveRisk(original, changed, options);
}

/**
 * Compares a config with the saved one. Without the resolved configs, a resource that moves to a
 * fragment counts as removed. Text that isn't a JSON object has no risk, because it can't be saved.
 */
export async function findSaveRisk(
  saved: ConfigVersion,
  edited: ConfigVersion,
  options: RiskOptions,
): Promise<SaveRisk> {
  const { isFragment, partCount, l10n } = options;
  const check = async ({
    parsed,
    resolved,
    modules = new Map(),
  }: ConfigVersion): Promise<readonly ResolvedDiagnostic[]> => {
    if (!parsed || !isObject(parsed.value)) return [];
    const checks = { resolved, modules, isFragment, hasTypeChecks: true, l10n };
    return inSlices(checkResolvedConfigInSteps(parsed, checks));
  };
  const before = listResources(saved);
  const after = listResources(edited);
  const removed = withoutEach(before, after, toIdentityKey);
  const added = withoutEach(after, before, toIdentityKey);
  const renames = await inSlices(findRenamesInSteps(removed, added));
  const problems = (await check(edited)).filter(isProblem);
  // Most saves add no problems, so the problems of the saved config are rarely needed.
  const newProblems = problems.length === 0 ? [] : findNewDiagnostics(problems, await check(saved));
  return {
    removed: removed.filter((one) => !renames.has(one)).map(({ name }) => name),
    renamed: [...renames].map(([{ name }, to]) => ({ from: name, to: to.name })),
    newProblems: newProblems.map(({ message }) => message),
    partCount,
  };
}

/** Returns true if a save should be confirmed. */
export function isRisky({ removed, newProblems, partCount }: SaveRisk): boolean {
  return removed.length > 0 || newProblems.length > 0 || partCount !== 0;
}

/** Keys that can contain the name of an entry. */
const IDENTITY_KEYS: ReadonlySet<string> = new Set(['name', 'id', 'pattern']);

/** Entry that a machine runs or loads. */
interface Resource {
  readonly section: string;
  readonly name: string;
  readonly value: ConfigValue;
}

/** Returns a key of a resource's section and name: names in different sections are unrelated. */
function toIdentityKey({ section, name }: Resource): string {
  return JSON.stringify([section, name]);
}

function listResources({ parsed, resolved }: ConfigVersion): readonly Resource[] {
  const config = resolved?.config ?? parsed?.value;
  if (config === undefined || !isObject(config)) return [];
  const sections = toSections(config);
  return RESOURCE_SECTIONS.flatMap((name) => {
    const section = sections.get(name);
    // A resolved config contains the resources of fragments, and only the unknown fragments.
    if (section?.kind !== 'list') return [];
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
 * Maximum number of passes over the removed resources. Another pass is needed only if a resource
 * precedes a renamed resource to which it refers.
 */
const MAX_PASSES = 20;

/**
 * Returns the removed resources that an added one of the same section equals except for its name,
 * and for its references to other renamed resources. Runs in steps.
 */
function* findRenamesInSteps(
  removed: readonly Resource[],
  added: readonly Resource[],
): Generator<undefined, ReadonlyMap<Resource, Resource>, void> {
  const renames = new Map<Resource, Resource>();
  if (removed.length > MAX_COMPARED || added.length > MAX_COMPARED) return renames;
  const unmatched = new Map<string, Resource[]>();
  for (const resource of added) {
    const key = toContentKey(resource, new Map());
    unmatched.set(key, [...(unmatched.get(key) ?? []), resource]);
    yield;
  }
  const names = new Map<string, string>();
  // An entry in `fragments` has no content that would identify it under another ID.
  let remaining = removed.filter(({ section }) => section !== 'fragments');
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = renames.size;
    for (const resource of remaining) {
      // Attributes can contain strings that equal a name but aren't references.
      const match =
        unmatched.get(toContentKey(resource, names))?.shift() ??
        unmatched.get(toContentKey(resource, new Map()))?.shift();
      if (match) {
        renames.set(resource, match);
        names.set(resource.name, match.name);
      }
      yield;
    }
    if (renames.size === before) break;
    remaining = remaining.filter((resource) => !renames.has(resource));
  }
  return renames;
}

/** Keys of entries whose values can refer to other resources by name. */
const REFERENCE_KEYS: ReadonlySet<string> = new Set([
  'depends_on',
  'attributes',
  'service_configs',
  'resource',
]);

/** Reference to a resource: an optional API, the name, and an optional resource on a remote. */
const REFERENCE = /^(?<api>(?:[\w-]+:[\w-]+:[\w-]+\/)?)(?<name>[^:/]+)(?<rest>(?::[^/]*)?)$/;

/** Returns a resource's section and its content without its name, with other names replaced. */
function toContentKey(
  { section, name, value }: Resource,
  names: ReadonlyMap<string, string>,
): string {
  if (!isObject(value)) return JSON.stringify([section, value]);
  const content = Object.entries(value).flatMap(([key, inner]): [string, ConfigValue][] => {
    if (inner === name && IDENTITY_KEYS.has(key)) return [];
    if (REFERENCE_KEYS.has(key)) return [[key, replaceReferences(inner, names)]];
    if (key !== 'frame' || !isObject(inner)) return [[key, inner]];
    const { parent } = inner;
    if (parent === undefined) return [[key, inner]];
    return [[key, { ...inner, parent: replaceReferences(parent, names) }]];
  });
  return JSON.stringify([section, content]);
}

/** Returns a value with the new names of resources in the strings that are references. */
function replaceReferences(value: ConfigValue, names: ReadonlyMap<string, string>): ConfigValue {
  if (names.size === 0) return value;
  if (isList(value)) return value.map((inner) => replaceReferences(inner, names));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, replaceReferences(inner, names)]),
    );
  }
  if (typeof value !== 'string') return value;
  const { api = '', name = '', rest = '' } = REFERENCE.exec(value)?.groups ?? {};
  const renamed = names.get(name);
  return renamed === undefined ? value : api + renamed + rest;
}

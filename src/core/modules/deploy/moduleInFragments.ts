import {
  type ConfigObject,
  isList,
  isObject,
  getMember,
  withoutMember,
} from '../../fragments/configValue';
import { type FragmentLookup, type Origin, resolveConfig } from '../../fragments/resolveConfig';

/** Module that a fragment provides to a config. */
export interface FragmentModule {
  readonly name: string;
  /** Version as written in the fragment; empty if the fragment leaves it open. */
  readonly version: string;
  /** Fragment that the config references. */
  readonly usedFragment: string;
  /** Fragment that contains the entry: `usedFragment`, or a fragment nested in it. */
  readonly holdingFragment: string;
}

/**
 * Finds the module that fragments provide to a resolved config; undefined if no fragment provides
 * it.
 */
export function moduleInFragments(
  config: ConfigObject,
  origins: readonly Origin[],
  ids: readonly string[],
): FragmentModule | undefined {
  return modulesInFragments(config, origins, ids).next().value;
}

/**
 * Returns the name that a config's overrides (`fragment_mods`) use for a fragment's module. This is
 * the name before any override is applied, because overrides can rename the module.
 */
export function nameInOverrides(
  config: ConfigObject,
  lookup: FragmentLookup,
  { name, usedFragment, holdingFragment }: FragmentModule,
  ids: readonly string[],
): string {
  const plain = resolveConfig(withoutMember(config, 'fragment_mods'), lookup);
  for (const one of modulesInFragments(plain.config, plain.origins, ids)) {
    const isSame = one.usedFragment === usedFragment && one.holdingFragment === holdingFragment;
    if (isSame) return one.name;
  }
  return name;
}

function* modulesInFragments(
  config: ConfigObject,
  origins: readonly Origin[],
  ids: readonly string[],
): Generator<FragmentModule, undefined> {
  const modules = getMember(config, 'modules');
  for (const [index, entry] of isList(modules) ? modules.entries() : []) {
    if (!isObject(entry) || !ids.includes(getStringMember(entry, 'module_id'))) continue;
    const origin = origins.find(({ path }) => path[0] === 'modules' && path[1] === index);
    const [usedFragment] = origin?.fragments ?? [];
    const holdingFragment = origin?.fragments.at(-1);
    if (usedFragment === undefined || holdingFragment === undefined) continue;
    const [name, version] = [getStringMember(entry, 'name'), getStringMember(entry, 'version')];
    yield { name, version, usedFragment, holdingFragment };
  }
  return undefined;
}

function getStringMember(entry: ConfigObject, key: string): string {
  const value = getMember(entry, key);
  return typeof value === 'string' ? value : '';
}

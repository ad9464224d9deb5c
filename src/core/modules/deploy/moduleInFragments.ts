import {
  type ConfigObject,
  isList,
  isObject,
  memberOf,
  withoutMember,
} from '../../fragments/configValue';
import { type FragmentLookup, type Origin, resolveConfig } from '../../fragments/resolveConfig';

/** A module that a config has through a fragment. */
export interface BroughtModule {
  readonly name: string;
  /** As the fragment writes it; empty when it leaves it open. */
  readonly version: string;
  /** The fragment that the config names. */
  readonly usedFragment: string;
  /** The fragment that holds the entry, which a fragment that is used may bring along. */
  readonly holdingFragment: string;
}

/** The module as fragments bring it, of a config with its fragments in place; undefined when none does. */
export function moduleInFragments(
  config: ConfigObject,
  origins: readonly Origin[],
  ids: readonly string[],
): BroughtModule | undefined {
  return modulesInFragments(config, origins, ids).next().value;
}

/**
 * What overrides of a config (`fragment_mods`) call a module that fragments bring: the name that it has
 * before any of them, which may give it another one.
 */
export function nameInOverrides(
  config: ConfigObject,
  lookup: FragmentLookup,
  { name, usedFragment, holdingFragment }: BroughtModule,
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
): Generator<BroughtModule, undefined> {
  const modules = memberOf(config, 'modules');
  for (const [index, entry] of isList(modules) ? modules.entries() : []) {
    if (!isObject(entry) || !ids.includes(textOf(entry, 'module_id'))) continue;
    const origin = origins.find(({ path }) => path[0] === 'modules' && path[1] === index);
    const [usedFragment] = origin?.fragments ?? [];
    const holdingFragment = origin?.fragments.at(-1);
    if (usedFragment === undefined || holdingFragment === undefined) continue;
    const [name, version] = [textOf(entry, 'name'), textOf(entry, 'version')];
    yield { name, version, usedFragment, holdingFragment };
  }
  return undefined;
}

function textOf(entry: ConfigObject, key: string): string {
  const value = memberOf(entry, key);
  return typeof value === 'string' ? value : '';
}

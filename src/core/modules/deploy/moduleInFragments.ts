import { type ConfigObject, isList, isObject, memberOf } from '../../fragments/configValue';
import type { Origin } from '../../fragments/resolveConfig';

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
  const modules = memberOf(config, 'modules');
  for (const [index, entry] of isList(modules) ? modules.entries() : []) {
    if (!isObject(entry) || !ids.includes(textOf(entry, 'module_id'))) continue;
    const origin = origins.find(({ path }) => path[0] === 'modules' && path[1] === index);
    const [usedFragment] = origin?.fragments ?? [];
    const holdingFragment = origin?.fragments.at(-1);
    if (usedFragment === undefined || holdingFragment === undefined) continue;
    const [name, version] = [textOf(entry, 'name'), textOf(entry, 'version')];
    return { name, version, usedFragment, holdingFragment };
  }
  return undefined;
}

function textOf(entry: ConfigObject, key: string): string {
  const value = memberOf(entry, key);
  return typeof value === 'string' ? value : '';
}

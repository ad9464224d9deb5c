import { englishLocalizer } from '../../../base/localizer';
import { getConfigList } from '../../documents/configLists';
import {
  type ConfigObject,
  getMember,
  getStringMember,
  isList,
  isObject,
  withoutMember,
} from '../../fragments/configValue';
import { type FragmentLookup, type Origin, resolveConfig } from '../../fragments/resolveConfig';
import { appendElement, memberValue, replaceValue } from '../../documents/jsonEdits';
import { getAllMembers, getElements, type JsonValue } from '../../documents/jsonText';
import { textMember, withElement } from './moduleUse';

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

const MODS = 'fragment_mods';

export interface ModuleOverride {
  /** Fragment that the config references. */
  readonly fragmentId: string;
  /** Name of the module in overrides (`nameInOverrides`). */
  readonly name: string;
  readonly version: string;
}

/**
 * Overrides the version of a fragment's module for one config (`fragment_mods`). Updates an
 * existing override. If a later change could undo the existing override, appends another one,
 * because the last change takes precedence.
 * @throws the same errors as `getConfigList`
 */
export function overrideModule(
  configText: string,
  { fragmentId, name, version }: ModuleOverride,
  l10n = englishLocalizer,
): string {
  const path = `modules.${name}.version`;
  const mod = { $set: { [path]: version } };
  const lists = getConfigList(configText, MODS, l10n)
    .filter((entry) => textMember(entry, 'fragment_id') === fragmentId)
    .flatMap((entry) => memberValue(entry, 'mods') ?? [])
    .filter((one) => getElements(one));
  const changes = lists.flatMap((one) => getElements(one) ?? []).flatMap(parseChanges);
  const written = changes.findLast(
    (change) => change.operator === '$set' && change.target === path,
  );
  const later = written ? changes.slice(changes.indexOf(written) + 1) : [];
  if (written && !later.some((change) => canTouch(change, name))) {
    return replaceValue(written.value, JSON.stringify(version));
  }
  const last = lists.at(-1);
  if (last) return appendElement(last, JSON.stringify(mod, undefined, 2));
  return withElement(configText, MODS, { fragment_id: fragmentId, mods: [mod] }, l10n);
}

/** Change in `fragment_mods`, such as `$set` of `modules.sonar.version`. */
interface Change {
  readonly operator: string;
  readonly target: string;
  readonly value: JsonValue;
}

/** Returns the changes in an element of `mods`, in the order in which they are applied. */
function parseChanges(mod: JsonValue): readonly Change[] {
  return getAllMembers(mod).flatMap(({ key: operator, value: targets }) =>
    getAllMembers(targets).map(({ key: target, value }) => ({ operator, target, value })),
  );
}

/**
 * Returns true if a change might affect a module's version. Paths can refer to the module by more
 * than one name.
 */
function canTouch({ operator, target, value }: Change, name: string): boolean {
  const to: unknown = operator === '$rename' ? value.node.value : undefined;
  return [target, to].some((path) => typeof path === 'string' && mightBeVersion(path, name));
}

/**
 * Returns true if a path might refer to the module's version or to the whole module. Recognizes the
 * module's name, with or without its fragment's prefix, and its index.
 */
function mightBeVersion(path: string, name: string): boolean {
  const [section, ...steps] = path.split('.');
  if (section !== 'modules') return false;
  return (
    steps.length === 0 ||
    steps.some((_, index) => {
      const called = steps.slice(0, index + 1).join('.');
      const isMatch = called === name || name.endsWith(`-${called}`) || /^\d+$/.test(called);
      const field = steps[index + 1];
      return isMatch && (field === undefined || field === 'version');
    })
  );
}

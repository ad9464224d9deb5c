import { allMembers, appendElement, memberValue, replaceValue } from '../../documents/jsonMembers';
import { getElements, type JsonValue } from '../../documents/jsonTree';
import { getConfigList, textMember, withElement } from './configList';

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
 * @throws FleetError `invalid` if the config's value for overrides isn't a list.
 */
export function overrideModule(
  configText: string,
  { fragmentId, name, version }: ModuleOverride,
): string {
  const path = `modules.${name}.version`;
  const mod = { $set: { [path]: version } };
  const lists = getConfigList(configText, MODS)
    .filter((entry) => textMember(entry, 'fragment_id') === fragmentId)
    .flatMap((entry) => memberValue(entry, 'mods') ?? [])
    .filter((one) => getElements(one));
  const changes = lists.flatMap((one) => getElements(one) ?? []).flatMap(parseChanges);
  const written = changes.findLast(
    (change) => change.operator === '$set' && change.target === path,
  );
  const later = written ? changes.slice(changes.indexOf(written) + 1) : [];
  if (written && !later.some((change) => mayTouch(change, name)))
    return replaceValue(written.value, JSON.stringify(version));
  const last = lists.at(-1);
  if (last) return appendElement(last, JSON.stringify(mod, undefined, 2));
  return withElement(configText, MODS, { fragment_id: fragmentId, mods: [mod] });
}

/** Change in `fragment_mods`, such as `$set` of `modules.sonar.version`. */
interface Change {
  readonly operator: string;
  readonly target: string;
  readonly value: JsonValue;
}

/** Returns the changes in an element of `mods`, in the order in which they are applied. */
function parseChanges(mod: JsonValue): readonly Change[] {
  return allMembers(mod).flatMap(({ key: operator, value: targets }) =>
    allMembers(targets).map(({ key: target, value }) => ({ operator, target, value })),
  );
}

/**
 * Returns true if a change might affect the version of a module. Paths can refer to the module by
 * more than one name.
 */
function mayTouch({ operator, target, value }: Change, name: string): boolean {
  const to: unknown = operator === '$rename' ? value.node.value : undefined;
  return [target, to].some((path) => typeof path === 'string' && mayBeVersion(path, name));
}

/**
 * Returns true if a path might refer to the module's version or to the whole module. Recognizes the
 * module's name, with or without the prefix of its fragment, and its index.
 */
function mayBeVersion(path: string, name: string): boolean {
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

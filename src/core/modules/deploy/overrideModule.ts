import { allMembers, appendElement, memberValue, replaceValue } from '../../documents/jsonMembers';
import { getElements, type JsonValue } from '../../documents/jsonTree';
import { getConfigList, textMember, withElement } from './configList';

const MODS = 'fragment_mods';

export interface ModuleOverride {
  /** Fragment that the config names. */
  readonly fragmentId: string;
  /** Name of the module in overrides (`nameInOverrides`). */
  readonly name: string;
  readonly version: string;
}

/**
 * Returns the text of a config that overrides the version of a fragment's module for this config
 * only (`fragment_mods`). Updates an existing override. The last one counts, so another one is
 * appended if a later change can undo it.
 * @throws FleetError `invalid` if the config has another value where overrides belong.
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

/** Change of `fragment_mods`, such as `$set` of `modules.sonar.version`. */
interface Change {
  readonly operator: string;
  readonly target: string;
  readonly value: JsonValue;
}

/** Returns the changes of an element of `mods`, in order of application. */
function parseChanges(mod: JsonValue): readonly Change[] {
  return allMembers(mod).flatMap(({ key: operator, value: targets }) =>
    allMembers(targets).map(({ key: target, value }) => ({ operator, target, value })),
  );
}

/**
 * Returns true if a change possibly affects the version of a module, which can have several names
 * in such paths.
 */
function mayTouch({ operator, target, value }: Change, name: string): boolean {
  const to: unknown = operator === '$rename' ? value.node.value : undefined;
  return [target, to].some((path) => typeof path === 'string' && mayBeVersion(path, name));
}

/**
 * Matches the module by its name, with or without the prefix of its fragment, or by index, as well
 * as the module as a whole.
 */
function mayBeVersion(path: string, name: string): boolean {
  const [section, ...steps] = path.split('.');
  if (section !== 'modules') return false;
  return (
    steps.length === 0 ||
    steps.some((_, index) => {
      const called = steps.slice(0, index + 1).join('.');
      const isMeant = called === name || name.endsWith(`-${called}`) || /^\d+$/.test(called);
      const field = steps[index + 1];
      return isMeant && (field === undefined || field === 'version');
    })
  );
}

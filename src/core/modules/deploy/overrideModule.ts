import { allMembers, appendElement, memberValue, replaceValue } from '../../documents/jsonMembers';
import { elementsOf, type JsonValue } from '../../documents/jsonTree';
import { listOfConfig, textMember, withElement } from './configList';

const MODS = 'fragment_mods';

export interface ModuleOverride {
  /** The fragment that the config names. */
  readonly fragmentId: string;
  /** What overrides call the module (`nameInOverrides`). */
  readonly name: string;
  readonly version: string;
}

/**
 * The text of a config that gives a module of a fragment another version, for this config alone
 * (`fragment_mods`). An override that is there already gets the new version; the last one counts, so
 * that another one follows where anything later may undo it.
 * @throws FleetError `invalid` when the config has something else where overrides belong.
 */
export function overrideModule(
  configText: string,
  { fragmentId, name, version }: ModuleOverride,
): string {
  const path = `modules.${name}.version`;
  const mod = { $set: { [path]: version } };
  const lists = listOfConfig(configText, MODS)
    .filter((entry) => textMember(entry, 'fragment_id') === fragmentId)
    .flatMap((entry) => memberValue(entry, 'mods') ?? [])
    .filter((one) => elementsOf(one));
  const changes = lists.flatMap((one) => elementsOf(one) ?? []).flatMap(changesOf);
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

/** One change of `fragment_mods`, such as `$set` of `modules.sonar.version`. */
interface Change {
  readonly operator: string;
  readonly target: string;
  readonly value: JsonValue;
}

/** The changes of an element of `mods`, in the order in which they are made. */
function changesOf(mod: JsonValue): readonly Change[] {
  return allMembers(mod).flatMap(({ key: operator, value: targets }) =>
    allMembers(targets).map(({ key: target, value }) => ({ operator, target, value })),
  );
}

/** Whether a change may be about the version of a module, which has several names in such paths. */
function mayTouch({ operator, target, value }: Change, name: string): boolean {
  const to: unknown = operator === '$rename' ? value.node.value : undefined;
  return [target, to].some((path) => typeof path === 'string' && mayBeVersion(path, name));
}

/** By its name, by its name without the prefix of its fragment, or by its place; as a whole, too. */
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

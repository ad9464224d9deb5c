import { FleetError } from '../../api/errors';
import {
  appendElement,
  appendMember,
  memberValue,
  replaceValue,
} from '../../documents/jsonMembers';
import { elementsOf, type JsonValue, parseJsonValue } from '../../documents/jsonTree';

const MODS = 'fragment_mods';

export interface ModuleOverride {
  /** The fragment that the config names. */
  readonly fragmentId: string;
  /** What the fragment calls the module. */
  readonly name: string;
  readonly version: string;
}

/**
 * The text of a config that gives a module of a fragment another version, for this config alone
 * (`fragment_mods`). An override that is there already gets the new version; the last one counts.
 * @throws FleetError `invalid` when the config has something else where overrides belong.
 */
export function overrideModule(
  configText: string,
  { fragmentId, name, version }: ModuleOverride,
): string {
  const root = parseJsonValue(configText);
  if (root?.node.type !== 'object') throw invalid('The config is not a JSON object.');
  const path = `modules.${name}.version`;
  const mod = JSON.stringify({ $set: { [path]: version } }, undefined, 2);
  const list = memberValue(root, MODS);
  if (list && !elementsOf(list)) throw invalid(`The config has no list at "${MODS}".`);
  const entries = (list && elementsOf(list)) ?? [];
  const ofFragment = entries.filter(
    (entry) => memberValue(entry, 'fragment_id')?.node.value === fragmentId,
  );
  const mods = ofFragment.flatMap((entry) => memberValue(entry, 'mods') ?? []);
  const written = mods
    .flatMap((list) => elementsOf(list) ?? [])
    .flatMap((one) => {
      const set = memberValue(one, '$set');
      return (set && memberValue(set, path)) ?? [];
    })
    .at(-1);
  if (written) return replaceValue(written, JSON.stringify(version));
  const last = mods.findLast((one) => elementsOf(one));
  if (last) return appendElement(last, mod);
  const entry = JSON.stringify(
    { fragment_id: fragmentId, mods: [JSON.parse(mod) as unknown] },
    undefined,
    2,
  );
  if (list) return appendElement(list, entry);
  return appendMember(root, JSON.stringify(MODS), appendElement(emptyList(), entry));
}

function emptyList(): JsonValue {
  const list = parseJsonValue('[]');
  if (!list) throw invalid('This is not valid JSON.');
  return list;
}

function invalid(message: string): FleetError {
  return new FleetError('invalid', message);
}

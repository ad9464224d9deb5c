import { atOnce } from '../../base/slices';
import { type ConfigObject, getMember, isList, isObject } from '../fragments/configValue';
import { type ConfigNode, elementsOf, literalString, membersOf } from './configDiagnostic';
import { MODULE_ID } from './ruleTables';

/** Reference from a config to a fragment or a registry module. */
export interface FleetReference {
  readonly kind: 'fragment' | 'module';
  readonly id: string;
  /** The value that contains the ID. */
  readonly at: ConfigNode;
  /** The entry that contains the reference; the ID itself for a fragment without options. */
  readonly entry: ConfigNode;
  /** The value of `version`; undefined if the entry has none. */
  readonly version: ConfigNode | undefined;
}

/** Returns a config's references to fragments and registry modules, in text order. */
export function fleetReferencesIn(config: ConfigNode): readonly FleetReference[] {
  return atOnce(fleetReferencesInSteps(config));
}

/** Does the same as `fleetReferencesIn`, in steps. */
export function* fleetReferencesInSteps(
  config: ConfigNode,
): Generator<undefined, readonly FleetReference[], void> {
  const sections = membersOf(config);
  const entriesOf = (section: string): readonly ConfigNode[] => {
    const list = sections.get(section);
    return list ? elementsOf(list) : [];
  };
  const found: FleetReference[] = [];
  for (const entry of entriesOf('fragments')) {
    const at = entry.node.type === 'string' ? entry : memberOf(entry, 'id');
    found.push(...referenceIn('fragment', entry, at));
    yield;
  }
  for (const entry of entriesOf('modules')) {
    const id = memberOf(entry, 'module_id');
    const isRegistered = isRegistryModule(memberOf(entry, 'type')?.node.value, id?.node.value);
    if (isRegistered) found.push(...referenceIn('module', entry, id));
    yield;
  }
  return found.sort((a, b) => a.at.node.offset - b.at.node.offset);
}

/** Returns the distinct IDs of the registry modules in the text of a config. */
export function moduleIdsInText(config: ConfigNode): readonly string[] {
  const modules = fleetReferencesIn(config).filter(({ kind }) => kind === 'module');
  return [...new Set(modules.map(({ id }) => id))];
}

/** Like the preceding function, but for a parsed config, such as one with its fragments. */
export function moduleIdsIn(config: ConfigObject): readonly string[] {
  const modules = getMember(config, 'modules');
  const ids = (isList(modules) ? modules : []).flatMap((entry) => {
    const id = isObject(entry) && getMember(entry, 'module_id');
    const type = isObject(entry) && getMember(entry, 'type');
    return typeof id === 'string' && isRegistryModule(type, id) ? [id] : [];
  });
  return [...new Set(ids)];
}

/** Returns true for an entry of `modules` with a valid ID that isn't local. */
function isRegistryModule(type: unknown, id: unknown): boolean {
  const isLocal = typeof type === 'string' && type.toLowerCase() === 'local';
  return !isLocal && typeof id === 'string' && MODULE_ID.test(id);
}

/** Returns the IDs in `fragment_mods`, which refer to fragments without importing them. */
export function fragmentModsIn(config: ConfigNode): readonly FleetReference[] {
  const list = membersOf(config).get('fragment_mods');
  return (list ? elementsOf(list) : []).flatMap((entry) =>
    referenceIn('fragment', entry, memberOf(entry, 'fragment_id')),
  );
}

function referenceIn(
  kind: FleetReference['kind'],
  entry: ConfigNode,
  at: ConfigNode | undefined,
): FleetReference[] {
  const id = literalString(at);
  return at && id ? [{ kind, id, at, entry, version: memberOf(entry, 'version') }] : [];
}

function memberOf(entry: ConfigNode, key: string): ConfigNode | undefined {
  return membersOf(entry).get(key);
}

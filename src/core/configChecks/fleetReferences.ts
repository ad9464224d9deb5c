import { type ConfigNode, elementsOf, literalString, membersOf } from './configDiagnostic';

/** Reference of a config to a fragment or a registry module. */
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

/** Returns the references of a config to fragments and registry modules, in the order of the text. */
export function fleetReferencesIn(config: ConfigNode): readonly FleetReference[] {
  const sections = membersOf(config);
  const entriesOf = (section: string): readonly ConfigNode[] => {
    const list = sections.get(section);
    return list ? elementsOf(list) : [];
  };
  return [
    ...entriesOf('fragments').flatMap((entry) =>
      referenceIn('fragment', entry, entry.node.type === 'string' ? entry : getMember(entry, 'id')),
    ),
    ...entriesOf('modules')
      .filter((entry) => literalString(getMember(entry, 'type'))?.toLowerCase() !== 'local')
      .flatMap((entry) => referenceIn('module', entry, getMember(entry, 'module_id'))),
  ].toSorted((a, b) => a.at.node.offset - b.at.node.offset);
}

/** Returns the IDs in `fragment_mods`, which refer to fragments without importing them. */
export function fragmentModsIn(config: ConfigNode): readonly FleetReference[] {
  const list = membersOf(config).get('fragment_mods');
  return (list ? elementsOf(list) : []).flatMap((entry) =>
    referenceIn('fragment', entry, getMember(entry, 'fragment_id')),
  );
}

function referenceIn(
  kind: FleetReference['kind'],
  entry: ConfigNode,
  at: ConfigNode | undefined,
): FleetReference[] {
  const id = literalString(at);
  return at && id ? [{ kind, id, at, entry, version: getMember(entry, 'version') }] : [];
}

function getMember(entry: ConfigNode, key: string): ConfigNode | undefined {
  return membersOf(entry).get(key);
}

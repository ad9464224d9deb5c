import { type ConfigObject, getMember, isList, isObject } from '../fragments/configValue';
import { type ConfigNode, elementsOf, literalString, membersOf } from './configDiagnostic';

/** Sections whose entries other entries can reference by name. */
export const NAMED_SECTIONS = ['components', 'services', 'remotes'] as const;

/** Entry in a config that other entries can reference, defined at `name`. */
export interface ResourceDefinition {
  readonly section: (typeof NAMED_SECTIONS)[number];
  readonly entry: ConfigNode;
  /** The value of the entry's `name`. */
  readonly name: ConfigNode;
  readonly text: string;
}

/** Reference to a resource by its name. */
export interface ResourceReference {
  /**
   * Type of the reference: `fragment` for a value in the variables or overrides of a fragment,
   * `path` for the path of an override.
   */
  readonly kind: 'dependency' | 'job' | 'frame' | 'attribute' | 'fragment' | 'path';
  /** String node that contains the reference. */
  readonly at: ConfigNode;
  /** Value of the string, such as `arm`, `remote:arm`, or `rdk:component:arm/arm`. */
  readonly text: string;
  /** Name of the referenced resource or remote, and its offset in the string. */
  readonly name: string;
  readonly start: number;
}

/** Names that a config defines and uses. */
export interface ResourceNames {
  readonly definitions: readonly ResourceDefinition[];
  readonly references: readonly ResourceReference[];
}

/**
 * Returns the resources that a config defines itself and all references to resources. The schema of
 * `attributes` isn't known, so each string that equals a name, or a qualified name, is treated as a
 * reference. Runs in steps.
 * @param otherNames names of other resources to which `attributes` can refer
 */
export function* resourceNamesInSteps(
  config: ConfigNode,
  otherNames: ReadonlySet<string> = new Set(),
): Generator<undefined, ResourceNames, void> {
  const sections = membersOf(config);
  const definitions: ResourceDefinition[] = [];
  for (const section of NAMED_SECTIONS) {
    for (const entry of entriesOf(sections.get(section))) {
      const name = membersOf(entry).get('name');
      const text = literalString(name);
      // An empty name of a service means the default name, as if the key were missing.
      const hasName = text !== undefined && (text !== '' || section !== 'services');
      if (name && hasName) definitions.push({ section, entry, name, text });
      yield;
    }
  }
  const names = new Set([...definitions.map(({ text }) => text), ...otherNames]);
  const references: ResourceReference[] = [];
  for (const section of NAMED_SECTIONS) {
    for (const entry of entriesOf(sections.get(section))) {
      yield* addReferencesIn(entry, names, references);
      yield;
    }
  }
  for (const entry of entriesOf(sections.get('jobs'))) {
    references.push(...referenceAt('job', membersOf(entry).get('resource')));
    yield;
  }
  return { definitions, references };
}

function entriesOf(section: ConfigNode | undefined): readonly ConfigNode[] {
  return section ? elementsOf(section) : [];
}

function* addReferencesIn(
  entry: ConfigNode,
  names: ReadonlySet<string>,
  found: ResourceReference[],
): Generator<undefined, void, void> {
  const members = membersOf(entry);
  for (const one of entriesOf(members.get('depends_on'))) {
    found.push(...referenceAt('dependency', one));
    yield;
  }
  const frame = members.get('frame');
  if (frame) found.push(...referenceAt('frame', membersOf(frame).get('parent')));
  for (const value of [members.get('attributes'), members.get('service_configs')]) {
    if (value) yield* addNamesIn(value, names, found);
  }
}

const QUALIFIER = /^[\w-]+:[\w-]+:[\w-]+\/$/;

/** Excludes paths, URLs, and other strings that merely start or end with a name. */
function isName({ text, name, start }: ResourceReference, names: ReadonlySet<string>): boolean {
  const qualifier = text.slice(0, start);
  const isWhole = text === qualifier + name && (start === 0 || QUALIFIER.test(qualifier));
  return isWhole && name !== '' && names.has(name);
}

function referenceAt(
  kind: ResourceReference['kind'],
  at: ConfigNode | undefined,
): ResourceReference[] {
  const text = literalString(at);
  if (at === undefined || text === undefined) return [];
  const start = text.lastIndexOf('/') + 1;
  // A resource on a remote has the remote's name as its prefix.
  const [name = ''] = text.slice(start).split(':', 1);
  return [{ kind, at, text, name, start }];
}

/** Adds the strings of a value that equal a name. */
export function* addNamesIn(
  value: ConfigNode,
  names: ReadonlySet<string>,
  found: ResourceReference[],
  kind: ResourceReference['kind'] = 'attribute',
): Generator<undefined, void, void> {
  const { type } = value.node;
  if (type === 'string') {
    found.push(...referenceAt(kind, value).filter((one) => isName(one, names)));
  } else if (type === 'array' || type === 'object') {
    yield;
    const inner = type === 'array' ? elementsOf(value) : membersOf(value).values();
    for (const one of inner) yield* addNamesIn(one, names, found, kind);
  }
}

/** Returns the explicit frame IDs in a config. */
export function frameIds(config: ConfigObject): string[] {
  return ['components', 'services'].flatMap((section) => {
    const list = getMember(config, section);
    return (isList(list) ? list : []).flatMap((entry) => {
      const frame = isObject(entry) ? getMember(entry, 'frame') : undefined;
      const id = isObject(frame) ? getMember(frame, 'id') : undefined;
      return typeof id === 'string' ? [id] : [];
    });
  });
}

/** Returns the names of all resources and remotes in a config, such as a resolved config. */
export function allResourceNames(config: ConfigObject): Set<string> {
  const names = new Set<string>();
  for (const section of NAMED_SECTIONS) {
    const list = getMember(config, section);
    for (const entry of isList(list) ? list : []) {
      const name = isObject(entry) ? getMember(entry, 'name') : undefined;
      if (typeof name === 'string') names.add(name);
    }
  }
  return names;
}

import { getMember, isList, isObject } from '../fragments/configValue';
import type { ResolvedConfig } from '../fragments/resolveConfig';
import {
  type ConfigNode,
  type ConfigMember,
  elementsOf,
  literalString,
  membersOf,
} from './configDiagnostic';
import {
  addNamesIn,
  NAMED_SECTIONS,
  type ResourceDefinition,
  type ResourceNames,
  type ResourceReference,
  resourceNamesInSteps,
} from './resourceNames';

/**
 * Returns the names that a config defines and uses, including those in its use of fragments. A value
 * in `variables` defines a resource if the fragment names the resource by that variable. Other
 * strings in `variables` and in the values of `fragment_mods` that equal a name are treated as
 * references, as in `attributes`. Runs in steps.
 */
export function* allNamesInSteps(
  config: ConfigNode,
  resolved: Pick<ResolvedConfig, 'config' | 'origins'> | undefined,
): Generator<undefined, ResourceNames, void> {
  const added = resolved ? findVariableNames(config, resolved) : [];
  const addedNames = new Set(added.map(({ definition }) => definition.text));
  const own = yield* resourceNamesInSteps(config, addedNames);
  const definitions = [...own.definitions, ...added.map(({ definition }) => definition)];
  const references = [...own.references];
  const names = new Set(definitions.map(({ text }) => text));
  const defining = new Set(definitions.map(({ name }) => name.node.offset));
  for (const entry of entriesIn(config, 'fragments')) {
    const variables = membersOf(entry).get('variables');
    if (variables) yield* addNamesIn(variables, names, references, 'fragment');
  }
  for (const entry of entriesIn(config, 'fragment_mods')) {
    const fragment = literalString(membersOf(entry).get('fragment_id'));
    const paths = added.filter((one) => one.fragment === fragment);
    for (const { operator, target } of modTargetsIn(entry)) {
      references.push(...findPathReferences(findKey(target), paths));
      if (operator === '$set') yield* addNamesIn(target, names, references, 'fragment');
      if (operator === '$rename') references.push(...findPathReferences(target, paths));
    }
  }
  return { definitions, references: references.filter(({ at }) => !defining.has(at.node.offset)) };
}

/** Resource of a fragment that a config names by a variable. */
interface VariableName {
  readonly fragment: string;
  readonly definition: ResourceDefinition;
}

function findVariableNames(
  config: ConfigNode,
  { config: resolved, origins }: Pick<ResolvedConfig, 'config' | 'origins'>,
): readonly VariableName[] {
  const sectionOf = new Map<string, ResourceDefinition['section']>();
  for (const { path, fragments } of origins) {
    const [key, index] = path;
    const section = NAMED_SECTIONS.find((one) => one === key);
    const list = section && getMember(resolved, section);
    const entry = isList(list) && typeof index === 'number' ? list[index] : undefined;
    const name = isObject(entry) ? getMember(entry, 'name') : undefined;
    if (section && typeof name === 'string') {
      sectionOf.set(JSON.stringify([fragments[0], name]), section);
    }
  }
  return entriesIn(config, 'fragments').flatMap((entry) => {
    const members = membersOf(entry);
    const fragment = literalString(members.get('id'));
    const variables = members.get('variables');
    // With a prefix, the name of the resource differs from the value.
    if (fragment === undefined || !variables || literalString(members.get('prefix'))) return [];
    return [...membersOf(variables).values()].flatMap((name): VariableName[] => {
      const text = literalString(name);
      const section = sectionOf.get(JSON.stringify([fragment, text]));
      if (text === undefined || !section) return [];
      return [{ fragment, definition: { section, entry, name, text } }];
    });
  });
}

/** Returns the references to a fragment's resources in a path such as `components.arm.attributes`. */
function findPathReferences(
  at: ConfigNode,
  names: readonly VariableName[],
): readonly ResourceReference[] {
  const text = String(at.node.value);
  return names.flatMap(({ definition }): ResourceReference[] => {
    const { section, text: name } = definition;
    const start = section.length + 1;
    const isNamed = text === `${section}.${name}` || text.startsWith(`${section}.${name}.`);
    return isNamed ? [{ kind: 'path', at, text, name, start }] : [];
  });
}

/** Returns the values by path of an entry in `fragment_mods`, with their operators. */
function modTargetsIn(
  entry: ConfigNode,
): readonly { readonly operator: string; readonly target: ConfigMember }[] {
  const mods = membersOf(entry).get('mods');
  return (mods ? elementsOf(mods) : []).flatMap((mod) =>
    [...membersOf(mod)].flatMap(([operator, targets]) =>
      [...membersOf(targets).values()].map((target) => ({ operator, target })),
    ),
  );
}

function findKey(member: ConfigMember): ConfigNode {
  return { node: member.keyNode, path: member.path };
}

function entriesIn(config: ConfigNode, section: string): readonly ConfigNode[] {
  const list = membersOf(config).get(section);
  return list ? elementsOf(list) : [];
}

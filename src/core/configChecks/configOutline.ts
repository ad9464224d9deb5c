import type { SyntaxNode } from '../fragments/configValue';
import { type ConfigNode, elementsOf, literalString, membersOf } from './configDiagnostic';

/** Entry of a section in a config, such as a component. */
export interface OutlineItem {
  /** Key of the section. */
  readonly section: string;
  readonly name: string;
  /** Model, version, or another value that describes the entry; empty if it has none. */
  readonly detail: string;
  readonly node: SyntaxNode;
  /** Name in the text. */
  readonly nameNode: SyntaxNode;
}

/** Keys that identify an entry, in order of preference. */
const NAMES = ['name', 'id', 'fragment_id', 'pattern'];
/** Keys that describe an entry. */
const DETAILS = ['model', 'version', 'schedule', 'address', 'package', 'level'];

/** Returns the entries in a config's sections that have a name, in text order. Runs in steps. */
export function* outlineConfigInSteps(
  config: ConfigNode,
): Generator<undefined, readonly OutlineItem[], void> {
  const items: OutlineItem[] = [];
  for (const [section, member] of membersOf(config)) {
    for (const entry of elementsOf(member)) {
      const item = outlineEntry(section, entry);
      if (item) items.push(item);
      yield;
    }
  }
  return items;
}

function outlineEntry(section: string, entry: ConfigNode): OutlineItem | undefined {
  const members = membersOf(entry);
  const findKey = (keys: readonly string[]): string | undefined =>
    keys.find((key) => literalString(members.get(key)));
  const nameKey = findKey(NAMES) ?? '';
  const detailKey = findKey(DETAILS) ?? '';
  const nameValue = members.get(nameKey) ?? (entry.node.type === 'string' ? entry : undefined);
  const name = literalString(nameValue);
  if (!nameValue || !name) return undefined;
  return {
    section,
    name,
    detail: literalString(members.get(detailKey)) ?? '',
    node: entry.node,
    nameNode: nameValue.node,
  };
}

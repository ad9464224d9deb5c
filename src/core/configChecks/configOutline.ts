import { atOnce } from '../../base/slices';
import type { SyntaxNode } from '../fragments/configValue';
import { type ConfigNode, elementsOf, literalString, membersOf } from './configDiagnostic';

/** Section in a config, or an entry in a section. */
export interface OutlineItem {
  readonly kind: 'section' | 'entry';
  /** Key of a section, or the name of an entry; undefined if the entry has none. */
  readonly name: string | undefined;
  /** Model, version, or another value that describes an entry; empty if it has none. */
  readonly detail: string;
  readonly node: SyntaxNode;
  /** Key or name in the text. */
  readonly nameNode: SyntaxNode;
  readonly children: readonly OutlineItem[];
}

/** Keys that identify an entry, in order of preference. */
const NAMES = ['name', 'id', 'fragment_id', 'pattern'];
/** Keys that describe an entry. */
const DETAILS = ['model', 'version', 'schedule', 'address', 'package', 'level'];

/** Returns the sections in a config with the names of their entries, in text order. */
export function outlineConfig(config: ConfigNode): readonly OutlineItem[] {
  return atOnce(outlineConfigInSteps(config));
}

/** Does the same as `outlineConfig`, in steps. */
export function* outlineConfigInSteps(
  config: ConfigNode,
): Generator<undefined, readonly OutlineItem[], void> {
  const sections: OutlineItem[] = [];
  for (const [name, member] of membersOf(config)) {
    const children: OutlineItem[] = [];
    for (const entry of elementsOf(member)) {
      children.push(outlineEntry(entry));
      yield;
    }
    sections.push({
      kind: 'section',
      name,
      detail: '',
      // The range of a section contains its key.
      node: member.node.parent ?? member.node,
      nameNode: member.keyNode,
      children,
    });
  }
  return sections;
}

function outlineEntry(entry: ConfigNode): OutlineItem {
  const members = membersOf(entry);
  const findKey = (keys: readonly string[]): string | undefined =>
    keys.find((key) => literalString(members.get(key)));
  const nameKey = findKey(NAMES) ?? '';
  const detailKey = findKey(DETAILS) ?? '';
  const name = members.get(nameKey) ?? (entry.node.type === 'string' ? entry : undefined);
  return {
    kind: 'entry',
    name: literalString(name),
    detail: literalString(members.get(detailKey)) ?? '',
    node: entry.node,
    nameNode: name?.node ?? entry.node,
    children: [],
  };
}

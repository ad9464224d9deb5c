import type { Node } from 'jsonc-parser';
import { compactJson, parseStrictTree } from './jsonText';

/** Value in a JSON text, together with the text. */
export interface JsonValue {
  readonly text: string;
  readonly node: Node;
}

export interface JsonMember {
  readonly key: string;
  /** Key as written, with quotes. */
  readonly keyText: string;
  readonly value: JsonValue;
}

/** Keys that can identify the elements of a config's lists, in order of precedence. */
const IDENTIFYING_KEYS = ['name', 'id', 'fragment_id', 'pattern', 'key'];

/** Parses strict JSON; returns undefined if the text is invalid. */
export function parseJsonValue(text: string): JsonValue | undefined {
  const node = parseStrictTree(text);
  return node && { text, node };
}

/** Returns the value as written. */
export function getSource({ text, node }: JsonValue): string {
  return text.slice(node.offset, node.offset + node.length);
}

/** Returns true if two values are equal, including the order of keys, or if both are absent. */
export function sameValue(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (!left || !right) return left === right;
  const [leftSource, rightSource] = [getSource(left), getSource(right)];
  return leftSource === rightSource || compactJson(leftSource) === compactJson(rightSource);
}

/**
 * Returns the members of an object; undefined for other values and for objects with repeated keys.
 */
export function getMembers(value: JsonValue): readonly JsonMember[] | undefined {
  const { text, node } = value;
  if (node.type !== 'object') return undefined;
  const members = (node.children ?? []).flatMap((property): JsonMember[] => {
    const [key, inner] = property.children ?? [];
    if (!key || !inner) return [];
    const keyText = text.slice(key.offset, key.offset + key.length);
    return [{ key: String(key.value), keyText, value: { text, node: inner } }];
  });
  return new Set(members.map(({ key }) => key)).size === members.length ? members : undefined;
}

/** Returns the elements of a list; undefined for other values. */
export function getElements({ text, node }: JsonValue): readonly JsonValue[] | undefined {
  if (node.type !== 'array') return undefined;
  return (node.children ?? []).map((child) => ({ text, node: child }));
}

/**
 * Returns the elements of a list by identity (`name` of a component, `id` of a fragment, the string
 * itself in a mixed list). Returns undefined if the identities are not unique, or if the list
 * contains only plain values, whose position matters.
 */
export function identifiedElements(
  elements: readonly JsonValue[],
): ReadonlyMap<string, JsonValue> | undefined {
  const identified = new Map<string, JsonValue>();
  for (const element of elements) {
    const identity = getIdentity(element);
    if (identity === undefined || identified.has(identity)) return undefined;
    identified.set(identity, element);
  }
  const plain = elements.length > 0 && elements.every(({ node }) => node.type === 'string');
  return plain ? undefined : identified;
}

/** Returns the value that identifies an element in its list, such as the name of a component. */
export function getIdentity(element: JsonValue): string | undefined {
  if (element.node.type === 'string') return String(element.node.value);
  const members = getMembers(element) ?? [];
  const identifying = IDENTIFYING_KEYS.map((key) => members.find((member) => member.key === key));
  const found = identifying.find((member) => member?.value.node.type === 'string');
  return found && String(found.value.node.value);
}

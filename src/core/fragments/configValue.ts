import type { NodeType } from 'jsonc-parser';

/** Node in a syntax tree of JSON, either a `JsonNode` or one of the library. */
export interface SyntaxNode {
  readonly type: NodeType;
  /** Range in the text, in UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
  readonly value?: unknown;
  readonly parent?: SyntaxNode | undefined;
  readonly children?: readonly SyntaxNode[] | undefined;
  /** Returns true if the tree has more levels, including properties, than `depth` below its root. */
  readonly isDeeperThan?: (depth: number) => boolean;
}

/** Key of exact numbers: a symbol, which JSON can't contain. */
const DIGITS = Symbol('digits');

/** Number with more digits than a double preserves. Printed as written. */
interface ExactNumber {
  readonly [DIGITS]: string;
}

export type ConfigValue =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly ConfigValue[]
  | ConfigObject;

/**
 * Object members in order. Must be created with `objectOf`, never by assignment, because a key can
 * be `__proto__`.
 */
export interface ConfigObject {
  readonly [key: string]: ConfigValue;
}

/** Path into a config: keys of objects and indexes of lists. */
export type ConfigPath = readonly (string | number)[];

const INDENT = '  ';

export function isObject(value: unknown): value is ConfigObject {
  const isLiteral = typeof value !== 'object' || value === null || Array.isArray(value);
  return !isLiteral && !isExactNumber(value);
}

function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && DIGITS in value;
}

export function isList(value: unknown): value is readonly ConfigValue[] {
  return Array.isArray(value);
}

/** Returns the object's own member with a key; ignores inherited members. */
export function getMember(object: ConfigObject, key: string): ConfigValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns the object's own string with a key; empty if the member is missing or isn't a string. */
export function getStringMember(object: ConfigObject, key: string): string {
  const value = getMember(object, key);
  return typeof value === 'string' ? value : '';
}

export function toConfigObject(members: Iterable<readonly [string, ConfigValue]>): ConfigObject {
  return Object.fromEntries(members);
}

/**
 * Returns a copy of the object in which one member is replaced in place, or appended if it's new.
 */
export function withMember(object: ConfigObject, key: string, value: ConfigValue): ConfigObject {
  return toConfigObject(new Map(Object.entries(object)).set(key, value));
}

export function withoutMember(object: ConfigObject, key: string): ConfigObject {
  return toConfigObject(Object.entries(object).filter(([other]) => other !== key));
}

/** Returns true if two values are equal, regardless of key order. */
export function sameConfigValue(left: ConfigValue, right: ConfigValue): boolean {
  if (left === right) return true;
  if (isExactNumber(left)) return isExactNumber(right) && left[DIGITS] === right[DIGITS];
  if (isList(left)) {
    if (!isList(right) || left.length !== right.length) return false;
    return left.every((value, index) => sameConfigValue(value, right[index] ?? null));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => {
    const [one, other] = [getMember(left, key), getMember(right, key)];
    return one !== undefined && other !== undefined && sameConfigValue(one, other);
  });
}

/** Converts parsed text to a value. Preserves the digits of numbers that a double would change. */
export function toConfigValue(node: SyntaxNode, text: string): ConfigValue {
  switch (node.type) {
    case 'array':
      return (node.children ?? []).map((child) => toConfigValue(child, text));
    case 'object':
      return toConfigObject(
        (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
          key && value ? [[String(key.value), toConfigValue(value, text)] as const] : [],
        ),
      );
    case 'number':
      return parseNumber(text.slice(node.offset, node.offset + node.length));
    default:
      return node.value as ConfigValue;
  }
}

/** Formats a config as JSON indented with two spaces, the format in which configs are displayed. */
export function printConfig(value: ConfigValue, indent = ''): string {
  if (isExactNumber(value)) return value[DIGITS];
  const inner = indent + INDENT;
  if (isList(value)) {
    if (value.length === 0) return '[]';
    const lines = value.map((element) => inner + printConfig(element, inner));
    return `[\n${lines.join(',\n')}\n${indent}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const lines = members.map(
    ([key, member]) => `${inner}${JSON.stringify(key)}: ${printConfig(member, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

/**
 * Parses a number. Also preserves notations such as `1.0`, which would otherwise be printed
 * differently.
 */
function parseNumber(digits: string): number | ExactNumber {
  const value = Number(digits);
  return String(value) === digits ? value : { [DIGITS]: digits };
}

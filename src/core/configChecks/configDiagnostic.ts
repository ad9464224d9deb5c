import { JsonNode } from '../documents/jsonTree';
import type { ConfigPath, SyntaxNode } from '../fragments/configValue';
import type { TextRange } from '../documents/rejection';

/** Severity of a diagnostic; `severityPolicy` says when each one applies. */
export type ConfigSeverity = 'error' | 'warning' | 'hint' | 'suggestion';

export type ConfigDiagnosticCode =
  | 'rejectedStructure'
  | 'rejectedName'
  | 'tooDeep'
  | 'tooLarge'
  | 'invalidNetwork'
  | 'invalidAuth'
  | 'missingKey'
  | 'wrongType'
  | 'invalidName'
  | 'duplicateName'
  | 'invalidApi'
  | 'unknownApi'
  | 'invalidModel'
  | 'modelWithoutModule'
  | 'unknownValue'
  | 'invalidId'
  | 'invalidSchedule'
  | 'invalidDuration'
  | 'invalidNumber'
  | 'invalidAddress'
  | 'unknownResource'
  | 'dependencyCycle'
  | 'frameCycle'
  | 'unknownModule'
  | 'unknownVersion'
  | 'misspelledKey'
  | 'sharedName'
  | 'invalidVersion'
  | 'deprecatedVersion'
  | 'newerVersion';

/** Problem in a config's text. */
export interface ConfigDiagnostic extends TextRange {
  readonly code: ConfigDiagnosticCode;
  readonly severity: ConfigSeverity;
  /** Path of the affected value, or path of the enclosing object if a key is missing. */
  readonly path: ConfigPath;
  readonly message: string;
  /** Text that replaces the range to fix the problem; undefined if there is no obvious fix. */
  readonly replacement?: string | undefined;
}

/** Problem that a rule finds, before its severity and its range are known. */
export interface ConfigProblem {
  readonly code: ConfigDiagnosticCode;
  readonly at: ConfigNode;
  readonly message: string;
  /** Range to mark; absent to mark the entire value. */
  readonly mark?: SyntaxNode;
  readonly replacement?: string | undefined;
  /** True if the value can be correct, for example because a module defines it. */
  readonly isUncertain?: boolean;
}

/** Value in a config's syntax tree, and its path. */
export interface ConfigNode {
  readonly node: SyntaxNode;
  readonly path: ConfigPath;
}

/** Value in an object or a list. Creates its path when it is read, which is rarely necessary. */
class InnerNode implements ConfigNode {
  constructor(
    readonly node: SyntaxNode,
    private readonly outer: ConfigNode,
    private readonly step: string | number,
  ) {}

  get path(): ConfigPath {
    return [...this.outer.path, this.step];
  }
}

/** Value of a member of an object. */
export class ConfigMember extends InnerNode {
  constructor(
    readonly keyNode: SyntaxNode,
    value: SyntaxNode,
    object: ConfigNode,
  ) {
    super(value, object, String(keyNode.value));
  }
}

/**
 * Members of an object by key. Most rules read a few members of many objects, so single keys are
 * looked up in the tree. A map is created after `MAX_LOOKUPS` look-ups, or to list all members.
 */
class Members implements ReadonlyMap<string, ConfigMember> {
  private map: ReadonlyMap<string, ConfigMember> | undefined;
  /** Number of look-ups without a map. */
  private lookups = 0;

  constructor(private readonly object: ConfigNode) {}

  get(key: string): ConfigMember | undefined {
    const { node } = this.object;
    if (this.map || !(node instanceof JsonNode) || this.lookups >= MAX_LOOKUPS) {
      return this.all().get(key);
    }
    this.lookups += 1;
    const found = node.member(key);
    return found && new ConfigMember(found[0], found[1], this.object);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return this.all().size;
  }

  entries(): MapIterator<[string, ConfigMember]> {
    return this.all().entries();
  }

  keys(): MapIterator<string> {
    return this.all().keys();
  }

  values(): MapIterator<ConfigMember> {
    return this.all().values();
  }

  forEach(
    callback: (value: ConfigMember, key: string, map: ReadonlyMap<string, ConfigMember>) => void,
  ): void {
    this.all().forEach(callback);
  }

  [Symbol.iterator](): MapIterator<[string, ConfigMember]> {
    return this.entries();
  }

  private all(): ReadonlyMap<string, ConfigMember> {
    if (this.map) return this.map;
    const members = new Map<string, ConfigMember>();
    for (const [key, value] of propertiesOf(this.object.node)) {
      members.set(String(key.value), new ConfigMember(key, value, this.object));
    }
    this.map = members;
    return members;
  }
}

/** Returns the keys and values of an object; empty for other values. */
function propertiesOf(node: SyntaxNode): Iterable<readonly [key: SyntaxNode, value: SyntaxNode]> {
  if (node.type !== 'object') return [];
  if (node instanceof JsonNode) return node.members();
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value ? [[key, value] as const] : [],
  );
}

/** Maximum number of look-ups in an object without a map, which each compare all keys. */
const MAX_LOOKUPS = 16;

/**
 * Returns the members of an object by key; empty for other values. For duplicate keys, the last
 * member wins.
 */
export function membersOf(object: ConfigNode): ReadonlyMap<string, ConfigMember> {
  return new Members(object);
}

/** Returns the members of an object one after another, including repeated keys. */
export function* listMembers(
  object: ConfigNode,
): Generator<readonly [key: string, member: ConfigMember], void, void> {
  for (const [key, value] of propertiesOf(object.node)) {
    yield [String(key.value), new ConfigMember(key, value, object)];
  }
}

/** Returns the elements of a list; empty for other values. */
export function elementsOf(list: ConfigNode): readonly ConfigNode[] {
  if (list.node.type !== 'array') return [];
  return (list.node.children ?? []).map((child, index) => new InnerNode(child, list, index));
}

/**
 * Returns a string value; undefined for other types, and for strings that contain an environment
 * variable such as `${NAME}`, because their values are known only on the machine.
 */
export function literalString(member: ConfigNode | undefined): string | undefined {
  const value: unknown = member?.node.type === 'string' ? member.node.value : undefined;
  return typeof value === 'string' && !value.includes('${') ? value : undefined;
}

/** Returns true for a placeholder whose value each machine that uses the fragment provides. */
export function isVariable(value: ConfigNode | undefined): boolean {
  return value !== undefined && membersOf(value).has('$variable');
}

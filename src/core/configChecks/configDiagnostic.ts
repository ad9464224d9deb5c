import type { Node } from 'jsonc-parser';
import type { ConfigPath } from '../fragments/configValue';
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
  readonly mark?: Node;
  readonly replacement?: string | undefined;
  /** True if the value can be correct, for example because a module defines it. */
  readonly isUncertain?: boolean;
}

/** Value in a config's syntax tree, and its path. */
export interface ConfigNode {
  readonly node: Node;
  readonly path: ConfigPath;
}

/** Value in an object or a list. Creates its path when it is read, which is rarely necessary. */
class InnerNode implements ConfigNode {
  constructor(
    readonly node: Node,
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
    readonly keyNode: Node,
    value: Node,
    object: ConfigNode,
  ) {
    super(value, object, String(keyNode.value));
  }
}

const NO_MEMBERS: ReadonlyMap<string, ConfigMember> = new Map();

/**
 * Returns the members of an object by key; empty for other values. For duplicate keys, the last
 * member wins.
 */
export function membersOf(object: ConfigNode): ReadonlyMap<string, ConfigMember> {
  const { type, children = [] } = object.node;
  if (type !== 'object' || children.length === 0) return NO_MEMBERS;
  const members = new Map<string, ConfigMember>();
  for (const property of children) {
    const key = property.children?.[0];
    const value = property.children?.[1];
    if (key && value) members.set(String(key.value), new ConfigMember(key, value, object));
  }
  return members;
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

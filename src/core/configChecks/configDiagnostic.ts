import type { Node } from 'jsonc-parser';
import type { ConfigPath } from '../fragments/configValue';
import type { TextRange } from '../documents/rejection';

/**
 * Severity of a diagnostic. With an error, a machine rejects the config. With a warning, it starts
 * without the affected resource. A hint points out a likely mistake, and a suggestion an improvement.
 */
export type ConfigSeverity = 'error' | 'warning' | 'hint' | 'suggestion';

export type ConfigDiagnosticCode =
  | 'misspelledKey'
  | 'missingKey'
  | 'invalidName'
  | 'duplicateName'
  | 'sharedName'
  | 'invalidApi'
  | 'unknownApi'
  | 'invalidModel'
  | 'modelWithoutModule'
  | 'unknownValue'
  | 'invalidVersion'
  | 'invalidId'
  | 'invalidSchedule'
  | 'invalidDuration'
  | 'unknownResource'
  | 'dependencyCycle'
  | 'frameCycle'
  | 'unknownModule'
  | 'unknownVersion'
  | 'deprecatedVersion'
  | 'newerVersion';

/** Problem in the text of a config. */
export interface ConfigDiagnostic extends TextRange {
  readonly code: ConfigDiagnosticCode;
  readonly severity: ConfigSeverity;
  /** Path of the affected value; of the enclosing object if a key is missing. */
  readonly path: ConfigPath;
  readonly message: string;
  /** Text that replaces the range to fix the problem; undefined if there is no obvious fix. */
  readonly replacement?: string | undefined;
}

/** Value in the syntax tree of a config, and its path. */
export interface ConfigNode {
  readonly node: Node;
  readonly path: ConfigPath;
}

/** Returns the members of an object by key; empty for other values. The last of equal keys wins. */
export function membersOf({ node, path }: ConfigNode): ReadonlyMap<string, ConfigMember> {
  const members = new Map<string, ConfigMember>();
  if (node.type !== 'object') return members;
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (!key || !value) continue;
    const name = String(key.value);
    members.set(name, { keyNode: key, node: value, path: [...path, name] });
  }
  return members;
}

export interface ConfigMember extends ConfigNode {
  readonly keyNode: Node;
}

/** Returns the elements of a list; empty for other values. */
export function elementsOf({ node, path }: ConfigNode): readonly ConfigNode[] {
  if (node.type !== 'array') return [];
  return (node.children ?? []).map((child, index) => ({ node: child, path: [...path, index] }));
}

/**
 * Returns a string value; undefined for other values and for values that are known only on the
 * machine, because they contain an environment variable such as `${NAME}`.
 */
export function literalString(member: ConfigNode | undefined): string | undefined {
  const value: unknown = member?.node.type === 'string' ? member.node.value : undefined;
  return typeof value === 'string' && !value.includes('${') ? value : undefined;
}

import type { ConfigPath } from './configValue';

/**
 * Reason why a config can't be resolved as is. The `subject` is:
 * - `notAnObject`, `malformedImport`, `malformedMod`, `valueTooDeep`, `tooLarge`: empty;
 * - `unknownFragment` (the fragment doesn't exist, or the key can't read it), `cycle`, `tooDeep`,
 *   `duplicateImport`, `modWithoutImport`: ID of the fragment;
 * - `missingVariable` (no value and no default), `unknownVariable` (the fragment has no such
 *   placeholder), `variableOutsideFragment`: name of the variable;
 * - `unsupportedOperator`: the operator; `modTargetMissing`: the nonexistent path;
 * - `duplicateName`, `conflictingValue`: the entry that two sides provide, such as
 *   `components.camera`.
 */
export type ResolveProblemKind =
  | 'notAnObject'
  | 'malformedImport'
  | 'unknownFragment'
  | 'cycle'
  | 'tooDeep'
  | 'duplicateImport'
  | 'missingVariable'
  | 'unknownVariable'
  | 'variableOutsideFragment'
  | 'malformedMod'
  | 'modWithoutImport'
  | 'unsupportedOperator'
  | 'modTargetMissing'
  | 'duplicateName'
  | 'conflictingValue'
  | 'valueTooDeep'
  | 'tooLarge';

export interface ResolveProblem {
  readonly kind: ResolveProblemKind;
  /**
   * Path in the given config at which the problem can be fixed; for a nested fragment, the path of
   * the import that includes it.
   */
  readonly path: ConfigPath;
  /** IDs of the enclosing fragments, outermost first; empty for the config itself. */
  readonly fragments: readonly string[];
  readonly subject: string;
}

/**
 * Reports a problem in the config or fragment that is being read; `path` is relative to that config
 * or fragment.
 */
export type Report = (kind: ResolveProblemKind, path: ConfigPath, subject?: string) => void;

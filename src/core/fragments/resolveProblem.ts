import type { ConfigPath } from './configValue';

/**
 * Why a config cannot be put together as it stands. `subject` is:
 * - `notAnObject`, `malformedImport`, `malformedMod`, `valueTooDeep`, `tooLarge`: empty;
 * - `unknownFragment` (there is none, or it may not be read), `cycle`, `tooDeep`, `duplicateImport`,
 *   `modWithoutImport`: the id of the fragment;
 * - `missingVariable` (no value and no default), `unknownVariable` (the fragment has no such place),
 *   `variableOutsideFragment`: the name of the variable;
 * - `unsupportedOperator`: the operator; `modTargetMissing`: the path that leads nowhere;
 * - `duplicateName`, `conflictingValue`: what two sides give, such as `components.camera`.
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
  /** Where the config that was given can be mended; of a nested fragment, the import that brings it. */
  readonly path: ConfigPath;
  /** The ids of the fragments it is in, outermost first; empty for the config itself. */
  readonly fragments: readonly string[];
  readonly subject: string;
}

/** Tells of a problem in the config or fragment that is being read; `path` is inside it. */
export type Report = (kind: ResolveProblemKind, path: ConfigPath, subject?: string) => void;

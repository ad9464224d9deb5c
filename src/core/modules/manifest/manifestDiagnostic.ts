import type { BuildProblemCode } from '../buildFacts';

/** Path of a value: field names and list indexes. Empty for the whole manifest. */
export type ManifestPath = readonly (string | number)[];

/** Error or warning about a module manifest or about the build that it describes. */
export interface ManifestDiagnostic {
  readonly code: DiagnosticCode;
  /**
   * Severity of the diagnostic. An error prevents uploading or starting the module, but a warning
   * can be intentional.
   */
  readonly severity: 'error' | 'warning';
  /**
   * Arguments for the message, in order. They are untrusted and must be displayed as plain text.
   */
  readonly args: readonly string[];
  /**
   * Path of the affected value, or of the object that has a missing field. Empty for the whole
   * manifest.
   */
  readonly path: ManifestPath;
  /** Range of the problem, if the problem isn't in a value. */
  readonly range?: TextSpan | undefined;
  /** Suggested fixes, most likely first. */
  readonly fixes: readonly ManifestFix[];
}

/** Range of text, in UTF-16 units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** Fix for a diagnostic. File paths are relative to the manifest's folder, with `/`. */
export type ManifestFix =
  | { readonly kind: 'setValue'; readonly path: ManifestPath; readonly value: string }
  | { readonly kind: 'renameField'; readonly path: ManifestPath; readonly name: string }
  | { readonly kind: 'removeValue'; readonly path: ManifestPath }
  | { readonly kind: 'makeExecutable'; readonly file: string }
  | { readonly kind: 'createScript'; readonly file: string }
  /** Runs the build that the manifest describes. */
  | { readonly kind: 'build' }
  /** Registers the module, which assigns an ID to it. */
  | { readonly kind: 'create' };

export type DiagnosticCode = SyntaxCode | FieldCode | PathCode | RegistryCode | BuildCode;

/** Reason that the text isn't strict JSON, which public tools require. */
export type SyntaxCode =
  | 'notJson'
  | 'byteOrderMark'
  | 'comment'
  | 'trailingComma'
  | 'duplicateKey'
  | 'notAnObject'
  | 'tooLarge'
  | 'tooDeep';

/** Reason that the registry would reject a field's value. */
export type FieldCode =
  | 'wrongType'
  | 'unknownField'
  /** A misspelled field exists in addition to the correctly spelled field. */
  | 'unreadField'
  | 'moduleIdMissing'
  | 'moduleIdForm'
  | 'visibilityUnknown'
  | 'urlForm'
  | 'modelApiForm'
  | 'modelApiUnknown'
  | 'modelForm'
  | 'modelRepeated'
  | 'modelOfOthers'
  | 'platformUnknown'
  | 'platformRepeated'
  | 'platformUnlisted'
  | 'appNameRepeated'
  | 'appName'
  | 'appType';

/** Difference from the module in the registry that affects the configs of machines. */
export type RegistryCode = 'modelRemoved' | 'modelRenamed';

/** Reason that a path can't be valid in any build. */
export type PathCode =
  | 'entrypointMissing'
  | 'pathAbsolute'
  | 'pathParent'
  | 'pathCharacters'
  | 'pathTooLong'
  | 'pathBackslash'
  | 'pathCommandLine';

/** Problem with the manifest's folder or with the build output. */
export type BuildCode =
  | 'notBuilt'
  | 'buildOutside'
  | 'fileMissing'
  | 'descriptionMissing'
  | 'descriptionTooLong'
  | 'headingMissing'
  | 'fileIsFolder'
  | 'fileNotFile'
  | 'fileOutside'
  | 'fileNotExecutable'
  | 'scriptInterpreter'
  | 'scriptLineEnds'
  | 'programPlatform'
  | 'programForeign'
  | 'programUnknown'
  | 'commandMissing'
  | 'commandNotExecutable'
  | BuildProblemCode;

/**
 * Returns the diagnostic for a build whose path leads out of the manifest's folder through a link.
 */
export function buildOutside(path: string): ManifestDiagnostic {
  return {
    code: 'buildOutside',
    severity: 'error',
    args: ['build.path', path],
    path: ['build', 'path'],
    fixes: [],
  };
}

import type { BuildProblemCode } from '../buildFacts';

/** Path of a value: names of fields and indexes of lists. Empty for the whole text. */
export type ManifestPath = readonly (string | number)[];

/** Error or warning about a module manifest or about the build that it describes. */
export interface ManifestFinding {
  readonly code: FindingCode;
  /** An error prevents uploading or starting the module; a warning can be intentional. */
  readonly severity: 'error' | 'warning';
  /** Arguments of the message, in order: remote text, to be displayed as plain text. */
  readonly args: readonly string[];
  /**
   * Path of the affected value, or of the object in which something is missing. Empty for the whole
   * text.
   */
  readonly path: ManifestPath;
  /** Range of a problem that isn't a value. */
  readonly place?: TextSpan | undefined;
  /** Suggested fixes, the most likely first. */
  readonly fixes: readonly ManifestFix[];
}

/** Range of a text, in UTF-16 units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** Fix for a finding. File paths are relative to the folder of the manifest, with `/`. */
export type ManifestFix =
  | { readonly kind: 'setValue'; readonly path: ManifestPath; readonly value: string }
  | { readonly kind: 'renameField'; readonly path: ManifestPath; readonly name: string }
  | { readonly kind: 'removeValue'; readonly path: ManifestPath }
  | { readonly kind: 'makeExecutable'; readonly file: string }
  | { readonly kind: 'createScript'; readonly file: string }
  /** Runs the build of the manifest. */
  | { readonly kind: 'build' }
  /** Registers the module, which gives it an ID. */
  | { readonly kind: 'create' };

export type FindingCode = SyntaxCode | FieldCode | PathCode | BuildCode;

/** The text isn't strict JSON, which public tools require. */
export type SyntaxCode =
  | 'notJson'
  | 'byteOrderMark'
  | 'comment'
  | 'trailingComma'
  | 'duplicateKey'
  | 'notAnObject'
  | 'tooLarge'
  | 'tooDeep';

/** A field has a value that the registry rejects. */
export type FieldCode =
  | 'wrongType'
  | 'unknownField'
  /** A misspelled field next to the correct one. */
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

/** A path that can't be valid in any build. */
export type PathCode =
  | 'entrypointMissing'
  | 'pathAbsolute'
  | 'pathParent'
  | 'pathCharacters'
  | 'pathTooLong'
  | 'pathBackslash'
  | 'pathCommandLine';

/** Problems with the folder of the manifest, or with the build output. */
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

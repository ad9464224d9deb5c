import type { BuildProblemCode } from '../buildFacts';

/** The way to a value: names of fields, and places in lists. Empty: the whole text. */
export type ManifestPath = readonly (string | number)[];

/** Something that is wrong or doubtful in a module manifest, or in the build that it describes. */
export interface ManifestFinding {
  readonly code: FindingCode;
  /** An error keeps the module from being uploaded or from starting; a warning may be meant so. */
  readonly severity: 'error' | 'warning';
  /** What the words are about, in the order they name it: remote text, to be shown as text. */
  readonly args: readonly string[];
  /** The value it is about, or the object in which something is missing. Empty: the whole text. */
  readonly path: ManifestPath;
  /** Where it stands, of mistakes that are not values. */
  readonly place?: TextSpan | undefined;
  /** What would mend it, the likeliest first. */
  readonly fixes: readonly ManifestFix[];
}

/** A stretch of a text, in UTF-16 units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** What mends a finding. Paths of files are relative to the folder of the manifest, with `/`. */
export type ManifestFix =
  | { readonly kind: 'setValue'; readonly path: ManifestPath; readonly value: string }
  | { readonly kind: 'renameField'; readonly path: ManifestPath; readonly name: string }
  | { readonly kind: 'removeValue'; readonly path: ManifestPath }
  | { readonly kind: 'makeExecutable'; readonly file: string }
  | { readonly kind: 'createScript'; readonly file: string }
  /** Runs the build of the manifest. */
  | { readonly kind: 'build' }
  /** Registers the module, which gives it an id. */
  | { readonly kind: 'create' };

export type FindingCode = SyntaxCode | FieldCode | PathCode | BuildCode;

/** The text is no strict JSON, which is what public tools read. */
export type SyntaxCode =
  | 'notJson'
  | 'byteOrderMark'
  | 'comment'
  | 'trailingComma'
  | 'duplicateKey'
  | 'notAnObject'
  | 'tooLarge'
  | 'tooDeep';

/** A field says what the registry refuses. */
export type FieldCode =
  | 'wrongType'
  | 'unknownField'
  /** A misspelled field beside the one that is read. */
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

/** A path that cannot be one, whatever is there. */
export type PathCode =
  | 'entrypointMissing'
  | 'pathAbsolute'
  | 'pathParent'
  | 'pathCharacters'
  | 'pathTooLong'
  | 'pathBackslash'
  | 'pathCommandLine';

/** Found in the folder of the manifest, or in what was built. */
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

import { isRecord } from '../../../base/isRecord';
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { appsField, checkFields } from './checkFields';
import { checkShape } from './checkShape';
import type {
  ManifestDiagnostic,
  ManifestFix,
  ManifestPath,
  PathCode,
  SyntaxCode,
  TextSpan,
} from './manifestDiagnostic';
import { findSpan, parseDescriptionLink, pathProblem } from './manifestPath';
import {
  MANIFEST_VISIBILITIES,
  type ManifestApp,
  type ManifestBuild,
  type ManifestModel,
  type ModuleManifest,
} from './moduleManifest';
import { findJsonProblems, type JsonProblem } from '../../documents/jsonProblems';
import type { KnownVisibility } from '../../model/entities';

/** Maximum number of characters. Manifests of modules with 100 models have about 20,000. */
export const MAX_MANIFEST_LENGTH = 1_000_000;
/**
 * Maximum number of errors, and of warnings, to report for one manifest. More wouldn't be helpful.
 */
const MAX_DIAGNOSTICS = 100;

/** Parsed manifest and its problems. */
export interface ParsedManifest {
  /**
   * Contents of the manifest; absent if the root isn't an object. If the text is invalid, contains
   * the fields that could be parsed.
   */
  readonly manifest: ModuleManifest | undefined;
  /** Problems, except problems with files, which `checkManifest` reports. Unsorted. */
  readonly problems: readonly ManifestDiagnostic[];
  /** Syntax tree; absent if the text can't be parsed. */
  readonly root: Node | undefined;
  /**
   * Returns the range of the value at a path (or of its name). If the value doesn't exist, returns
   * the start of the innermost existing value on the path.
   */
  readonly getRange: (path: ManifestPath, asKey?: boolean) => TextSpan;
}

/**
 * Parses a `meta.json`, even an incomplete one that the user is typing. Never throws, regardless of
 * the text.
 */
export function parseManifest(text: string): ParsedManifest {
  if (text.length > MAX_MANIFEST_LENGTH) return toRejectedManifest('tooLarge', 0);
  const deep = findTooDeepOffset(text);
  if (deep !== undefined) return toRejectedManifest('tooDeep', deep);
  const root = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true });
  const syntax = findSyntaxProblems(text);
  const getRange: ParsedManifest['getRange'] = (path, asKey = false) => findSpan(root, path, asKey);
  if (root?.type !== 'object') return { manifest: undefined, problems: syntax, root, getRange };
  const manifest = readManifest(root);
  const problems = [
    ...limitDiagnostics([
      syntax,
      checkShape(root),
      checkFields(manifest, root),
      checkPaths(manifest, root),
    ]),
  ];
  return { manifest, problems, root, getRange };
}

/**
 * Yields a limited number of diagnostics. Limits errors and warnings separately, so that warnings
 * don't hide errors. If a value has the wrong type, omits other diagnostics about this value,
 * because it must be replaced first.
 */
function* limitDiagnostics(
  checks: readonly Iterable<ManifestDiagnostic>[],
): Generator<ManifestDiagnostic> {
  const counts = { error: 0, warning: 0 };
  const mistyped = new Set<string>();
  for (const check of checks) {
    for (const diagnostic of check) {
      if (isWithin(mistyped, diagnostic.path)) continue;
      if (diagnostic.code === 'wrongType') mistyped.add(toPathKey(diagnostic.path));
      counts[diagnostic.severity] += 1;
      if (counts[diagnostic.severity] <= MAX_DIAGNOSTICS) yield diagnostic;
      else if (diagnostic.severity === 'error') return;
    }
  }
}

/** Returns true if one of these paths contains the value. */
function isWithin(pathKeys: ReadonlySet<string>, path: ManifestPath): boolean {
  if (pathKeys.size === 0) return false;
  return path.some((_, index) => pathKeys.has(toPathKey(path.slice(0, index + 1))));
}

function toPathKey(path: ManifestPath): string {
  return JSON.stringify(path);
}

function toRejectedManifest(code: SyntaxCode, offset: number): ParsedManifest {
  const range = { offset, length: 1 };
  return {
    manifest: undefined,
    problems: [{ code, severity: 'error', args: [], path: [], range, fixes: [] }],
    root: undefined,
    getRange: () => range,
  };
}

/**
 * Maximum nesting depth. Other JSON parsers fail far below the depth that would exhaust our call
 * stack.
 */
const MAX_DEPTH = 100;

/**
 * Tokens, split the way the parser does: an unclosed string extends to the end of its line, and an
 * unclosed comment to the end of the text.
 */
const TOKENS = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)|[[\]{}]/gs;
const OPENED_BY: Readonly<Record<string, string>> = { ']': '[', '}': '{' };

/**
 * Returns the offset at which lists and objects are nested too deeply; undefined if they aren't.
 */
function findTooDeepOffset(text: string): number | undefined {
  const open: string[] = [];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token);
    // The parser ignores mismatched brackets, so they must not hide the nesting depth.
    else if (open.at(-1) === OPENED_BY[token]) open.pop();
    if (open.length > MAX_DEPTH) return index;
  }
  return undefined;
}

/** Reports syntax that is ambiguous or invalid JSON for public tools. */
function findSyntaxProblems(text: string): readonly ManifestDiagnostic[] {
  // Also reports values that a Struct would lose, such as repeated fields. Some programs read a
  // repeated field's first value, others the last.
  return findJsonProblems(text, 'struct').flatMap((problem) => toDiagnostic(problem) ?? []);
}

function toDiagnostic({ code, detail, ...place }: JsonProblem): ManifestDiagnostic | undefined {
  switch (code) {
    case 'numberNotKept':
    case 'numberOutOfRange':
    case 'unpairedSurrogate':
      return undefined;
    default:
      return { code, severity: 'error', args: [detail], path: [], range: place, fixes: [] };
  }
}

/** Reports paths that can't be valid in any build. */
function* checkPaths(manifest: ModuleManifest, root: Node): Generator<ManifestDiagnostic> {
  const { entrypoint, firstRun, build, markdownLink, models, apps } = manifest;
  // The registry requires an entrypoint even for modules that contain only applications.
  if (entrypoint.trim() === '') {
    yield {
      code: 'entrypointMissing',
      severity: 'error',
      args: [],
      path: ['entrypoint'],
      fixes: [],
    };
  }
  const field = appsField(root);
  const programs: (readonly [ManifestPath, string | undefined])[] = [
    [['entrypoint'], entrypoint.trim() === '' ? undefined : entrypoint],
    [['first_run'], firstRun],
    ...apps.map((app, index) => [[field, index, 'entrypoint'], app.entrypoint] as const),
  ];
  for (const [path, written] of programs) {
    if (written === undefined) continue;
    const problem = pathProblem(written);
    yield* checkPath(path, written, problem);
    if (!problem && isCommandLine(written)) yield warning('pathCommandLine', path, written);
  }
  const readings: (readonly [ManifestPath, string | undefined])[] = [
    [['build', 'path'], build.path],
    [['markdown_link'], parseDescriptionLink(markdownLink)?.file],
    ...models.map((model, index) => {
      return [
        ['models', index, 'markdown_link'],
        parseDescriptionLink(model.markdownLink)?.file,
      ] as const;
    }),
  ];
  for (const [path, written] of readings) {
    if (written !== undefined) yield* checkPath(path, written, pathProblem(written));
  }
}

function* checkPath(
  path: ManifestPath,
  written: string,
  code: PathCode | undefined,
): Generator<ManifestDiagnostic> {
  if (code !== undefined) {
    yield { code, severity: 'error', args: [formatPath(path), written], path, fixes: [] };
  } else if (written.includes('\\')) {
    const fixes: ManifestFix[] = [{ kind: 'setValue', path, value: written.replaceAll('\\', '/') }];
    yield { ...warning('pathBackslash', path, written), fixes };
  }
}

/**
 * Returns true if the text looks like a shell command. No shell parses an entrypoint, which is the
 * name of one file, so every character is part of that name.
 */
function isCommandLine(written: string): boolean {
  return /[;&|<>$`"'(){}*?!]|\s/.test(written);
}

function warning(code: PathCode, path: ManifestPath, written: string): ManifestDiagnostic {
  return { code, severity: 'warning', args: [formatPath(path), written], path, fixes: [] };
}

function formatPath(path: ManifestPath): string {
  return path.map(String).join('.');
}

type Values = Readonly<Record<string, unknown>>;

/** Reads a manifest's contents from its root object. If a field is repeated, uses the last one. */
function readManifest(root: Node): ModuleManifest {
  const values = toRecord(getNodeValue(root));
  return {
    moduleId: toOptionalString(values.module_id) ?? '',
    visibility: parseVisibility(values.visibility),
    url: toOptionalString(values.url) ?? '',
    description: toOptionalString(values.description) ?? '',
    markdownLink: toNonEmptyString(values.markdown_link),
    models: toList(values.models).map(parseModel),
    entrypoint: toOptionalString(values.entrypoint) ?? '',
    firstRun: toNonEmptyString(values.first_run),
    build: parseBuild(toRecord(values.build)),
    apps: toList(values.applications ?? values.apps).map(parseApp),
  };
}

/** Parses a visibility in a manifest; returns undefined if it's invalid. */
export function parseVisibility(written: unknown): KnownVisibility | undefined {
  const known = Object.keys(MANIFEST_VISIBILITIES) as KnownVisibility[];
  return known.find((visibility) => MANIFEST_VISIBILITIES[visibility] === written);
}

function parseModel(value: unknown): ManifestModel {
  const model = toRecord(value);
  return {
    api: toOptionalString(model.api) ?? '',
    model: toOptionalString(model.model) ?? '',
    shortDescription: toNonEmptyString(model.short_description),
    markdownLink: toNonEmptyString(model.markdown_link),
  };
}

function parseBuild({ setup, build, path, arch, darwin_deps }: Values): ManifestBuild {
  return {
    setup: toNonEmptyString(setup),
    build: toNonEmptyString(build),
    path: toNonEmptyString(path),
    arch: toStrings(arch),
    darwinDependencies: toStrings(darwin_deps),
  };
}

function parseApp(value: unknown): ManifestApp {
  const { name, type, entrypoint } = toRecord(value);
  return {
    name: toOptionalString(name) ?? '',
    type: toOptionalString(type) ?? '',
    entrypoint: toOptionalString(entrypoint) ?? '',
  };
}

function toRecord(value: unknown): Values {
  return isRecord(value) ? value : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Replaces elements of other types with empty strings, so that list indexes remain correct. */
function toStrings(value: unknown): readonly string[] {
  return toList(value).map((element) => toOptionalString(element) ?? '');
}

function toOptionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * Treats an empty string as missing, because public tools write an empty string for a missing
 * value.
 */
function toNonEmptyString(value: unknown): string | undefined {
  return toOptionalString(value)?.trim() === '' ? undefined : toOptionalString(value);
}

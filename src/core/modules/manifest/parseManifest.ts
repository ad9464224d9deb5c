import { type Node, parseTree } from 'jsonc-parser';
import { checkFields } from './checkFields';
import { checkPaths } from './checkPaths';
import { checkShape } from './checkShape';
import { findTooDeepOffset, findSyntaxProblems } from './findSyntaxProblems';
import type { ManifestFinding, ManifestPath, SyntaxCode, TextSpan } from './manifestFinding';
import { findSpan } from './manifestTree';
import type { ModuleManifest } from './moduleManifest';
import { readManifest } from './readManifest';

/** Maximum number of characters. Manifests of modules with 100 models have about 20,000. */
export const MAX_MANIFEST_LENGTH = 1_000_000;
/**
 * Maximum number of errors, and of warnings, to report for one manifest. More of them wouldn't be
 * helpful.
 */
const MAX_FINDINGS = 100;

/** Parsed manifest and its problems. */
export interface ParsedManifest {
  /**
   * Contents of the manifest; absent if the root isn't an object. For an invalid text, contains the
   * fields that could be parsed.
   */
  readonly manifest: ModuleManifest | undefined;
  /** Problems, except problems with files, which `checkManifest` reports. Unsorted. */
  readonly problems: readonly ManifestFinding[];
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
    ...limitFindings([
      syntax,
      checkShape(root),
      checkFields(manifest, root),
      checkPaths(manifest, root),
    ]),
  ];
  return { manifest, problems, root, getRange };
}

/**
 * Yields a limited number of findings. Limits errors and warnings separately, so that warnings
 * don't hide errors. If a value has the wrong type, omits other findings about this value, because
 * it must be replaced first.
 */
function* limitFindings(checks: readonly Iterable<ManifestFinding>[]): Generator<ManifestFinding> {
  const counts = { error: 0, warning: 0 };
  const mistyped = new Set<string>();
  for (const check of checks) {
    for (const finding of check) {
      if (isWithin(mistyped, finding.path)) continue;
      if (finding.code === 'wrongType') mistyped.add(toPathKey(finding.path));
      counts[finding.severity] += 1;
      if (counts[finding.severity] <= MAX_FINDINGS) yield finding;
      else if (finding.severity === 'error') return;
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

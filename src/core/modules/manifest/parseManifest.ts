import { type Node, parseTree } from 'jsonc-parser';
import { checkFields } from './checkFields';
import { checkPaths } from './checkPaths';
import { checkShape } from './checkShape';
import { findDeepPlace, findSyntaxProblems } from './findSyntaxProblems';
import type { ManifestFinding, ManifestPath, SyntaxCode, TextSpan } from './manifestFinding';
import { findSpan } from './manifestTree';
import type { ModuleManifest } from './moduleManifest';
import { readManifest } from './readManifest';

/** Manifests of modules with a hundred models have some 20,000 characters. */
export const LONGEST_MANIFEST = 1_000_000;
/** So many errors, and so many warnings, are told of one manifest: more say nothing new. */
const MOST_FINDINGS = 100;

/** What a text says as a manifest, and what is wrong with it. */
export interface ParsedManifest {
  /** Absent when the text has no object at its top. Of broken texts: what could be read. */
  readonly manifest: ModuleManifest | undefined;
  /** Nothing about files: that is `checkManifest`'s. In no order of places. */
  readonly problems: readonly ManifestFinding[];
  /** The syntax tree; absent where there is nothing to read. */
  readonly root: Node | undefined;
  /** Where the value at a path stands (or its name), or where the innermost one around it begins. */
  readonly placeOf: (path: ManifestPath, asKey?: boolean) => TextSpan;
}

/** Reads a `meta.json`, also while it is being typed. Never throws, whatever the text is. */
export function parseManifest(text: string): ParsedManifest {
  if (text.length > LONGEST_MANIFEST) return refused('tooLarge', 0);
  const deep = findDeepPlace(text);
  if (deep !== undefined) return refused('tooDeep', deep);
  const root = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true });
  const syntax = findSyntaxProblems(text);
  const placeOf: ParsedManifest['placeOf'] = (path, asKey = false) => findSpan(root, path, asKey);
  if (root?.type !== 'object') return { manifest: undefined, problems: syntax, root, placeOf };
  const manifest = readManifest(root);
  const problems = [
    ...firstOf([syntax, checkShape(root), checkFields(manifest, root), checkPaths(manifest, root)]),
  ];
  return { manifest, problems, root, placeOf };
}

/**
 * The first findings. However many warnings there are, they do not hide that there is an error. Of a value
 * of the wrong type nothing else is told: whatever it lacks, it is to be another value first.
 */
function* firstOf(checks: readonly Iterable<ManifestFinding>[]): Generator<ManifestFinding> {
  const told = { error: 0, warning: 0 };
  const mistyped = new Set<string>();
  for (const check of checks) {
    for (const finding of check) {
      if (isWithin(mistyped, finding.path)) continue;
      if (finding.code === 'wrongType') mistyped.add(placeName(finding.path));
      told[finding.severity] += 1;
      if (told[finding.severity] <= MOST_FINDINGS) yield finding;
      else if (finding.severity === 'error') return;
    }
  }
}

/** Whether a value, or one that it is in, is at one of these places. */
function isWithin(places: ReadonlySet<string>, path: ManifestPath): boolean {
  if (places.size === 0) return false;
  return path.some((_, index) => places.has(placeName(path.slice(0, index + 1))));
}

function placeName(path: ManifestPath): string {
  return JSON.stringify(path);
}

function refused(code: SyntaxCode, offset: number): ParsedManifest {
  const place = { offset, length: 1 };
  return {
    manifest: undefined,
    problems: [{ code, severity: 'error', args: [], path: [], place, fixes: [] }],
    root: undefined,
    placeOf: () => place,
  };
}

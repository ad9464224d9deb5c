import type { NamedFileState } from '../buildFacts';
import type { ManifestDiagnostic, ManifestFix, ManifestPath } from './manifestDiagnostic';
import { insidePath, parseDescriptionLink } from './manifestPath';
import type { ModuleManifest } from './moduleManifest';

const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/**
 * Characters that are removed from anchors: all except letters, digits, spaces, dashes, and
 * underscores.
 */
const NOT_IN_ANCHOR = /[^\p{L}\p{N}\p{M} _-]/gu;

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly anchor: string;
}

/**
 * Returns the section in a Markdown document that starts with a heading, up to the next heading of
 * the same or a higher level; undefined if the document has no such heading.
 *
 * @param anchor as in links after `#`: lowercase, with dashes instead of spaces, and with `-1` for
 *   the second heading with the same name
 */
export function markdownSection(text: string, anchor: string): string | undefined {
  const lines = text.split('\n');
  const headings = parseHeadings(lines);
  const index = headings.findIndex((heading) => heading.anchor === anchor.toLowerCase());
  const start = headings[index];
  if (!start) return undefined;
  const end = headings.slice(index + 1).find(({ level }) => level <= start.level);
  return lines.slice(start.line, end?.line).join('\n').trim();
}

function parseHeadings(lines: readonly string[]): readonly Heading[] {
  const seen = new Map<string, number>();
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const [line, text] of lines.entries()) {
    const [, mark] = FENCE.exec(text) ?? [];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    }
    const [, marks, title] = fence === undefined ? (HEADING.exec(text.trimEnd()) ?? []) : [];
    if (marks === undefined || title === undefined) continue;
    const name = toAnchor(withoutClosing(title));
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    headings.push({
      line,
      level: marks.length,
      anchor: earlier === 0 ? name : `${name}-${String(earlier)}`,
    });
  }
  return headings;
}

/** Removes a heading's optional closing marks. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (title.charAt(end - 1) === '#') end -= 1;
  return title.slice(0, end).trimEnd();
}

function toAnchor(title: string): string {
  return title.toLowerCase().replace(NOT_IN_ANCHOR, '').trim().replaceAll(' ', '-');
}

/**
 * Maximum size of a description that the registry accepts, according to one of the service's rules.
 */
export const MAX_DESCRIPTION_BYTES = 1_000_000;

interface SourceFile {
  /** Path relative to the manifest's folder, with `/`. */
  readonly file: string;
  /** Path of the manifest field that specifies the file. */
  readonly path: ManifestPath;
}

/** File that describes the module or a model in the registry. */
export interface DescriptionFile extends SourceFile {
  /** Anchor of the heading that starts the section. */
  readonly heading: string | undefined;
}

/** Script that a build command in the manifest runs. */
export interface ScriptFile extends SourceFile {
  readonly needsPermission: boolean;
}

/** A description's text, or the reason that it can't be used. */
export type DescriptionState =
  | Exclude<NamedFileState, 'ok' | 'notExecutable'>
  | 'tooLong'
  | { readonly text: string };

/**
 * Lists the description files that a manifest specifies. `checkPaths` reports paths that lead out
 * of the manifest's folder.
 */
export function listDescriptions({ markdownLink, models }: ModuleManifest): DescriptionFile[] {
  const links: (readonly [ManifestPath, string | undefined])[] = [
    [['markdown_link'], markdownLink],
    ...models.map((model, index) => {
      return [['models', index, 'markdown_link'], model.markdownLink] as const;
    }),
  ];
  return links.flatMap(([path, written]) => {
    const link = parseDescriptionLink(written);
    const file = link === undefined ? undefined : insidePath(link.file);
    return link === undefined || file === undefined ? [] : [{ file, path, heading: link.heading }];
  });
}

/** Lists the scripts in a manifest's folder that its build commands run. */
export function listScripts({ build }: ModuleManifest): ScriptFile[] {
  const commands = [
    [['build', 'setup'], build.setup],
    [['build', 'build'], build.build],
  ] as const;
  return commands.flatMap(([path, command]) => {
    const started = command === undefined ? undefined : commandFile(command);
    return started === undefined ? [] : [{ ...started, path: [...path] }];
  });
}

/** Checks that an upload can publish a description. */
export function checkDescription(
  { file, path, heading }: DescriptionFile,
  state: DescriptionState,
): readonly ManifestDiagnostic[] {
  const field = path.map(String).join('.');
  const error = (code: ManifestDiagnostic['code'], ...args: string[]): ManifestDiagnostic[] => [
    { code, severity: 'error', args: [field, file, ...args], path, fixes: [] },
  ];
  if (typeof state === 'object') {
    const isThere = heading === undefined || markdownSection(state.text, heading) !== undefined;
    return isThere ? [] : error('headingMissing', heading);
  }
  if (state === 'tooLong') return error('descriptionTooLong');
  if (state === 'missing') return error('descriptionMissing');
  return error(STATES[state]);
}

/** Checks that a build can run a script. */
export function checkScript(
  { file, path, needsPermission }: ScriptFile,
  state: NamedFileState,
): readonly ManifestDiagnostic[] {
  const error = (
    code: ManifestDiagnostic['code'],
    ...fixes: ManifestFix[]
  ): ManifestDiagnostic[] => [
    { code, severity: 'error', args: [path.map(String).join('.'), file], path, fixes },
  ];
  switch (state) {
    case 'ok':
      return [];
    case 'notExecutable':
      return needsPermission ? error('commandNotExecutable', { kind: 'makeExecutable', file }) : [];
    case 'missing':
      return error('commandMissing', { kind: 'createScript', file });
    default:
      return error(STATES[state]);
  }
}

const STATES = {
  directory: 'fileIsFolder',
  outside: 'fileOutside',
  notFile: 'fileNotFile',
} as const;

/** Programs that read a script, so that the script needs no execute permission. */
const INTERPRETERS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'node', 'python', 'python3'],
]);
const PLAIN_PATH = /^(?!-)(?:\.\/)?[\w.-]+(?:\/[\w.-]+)*$/;

/**
 * Returns the file in the manifest's folder that a simple command runs: `./build.sh`,
 * `scripts/build.sh --fast`, `sh build.sh`. Returns undefined for other commands, such as `make`.
 */
export function commandFile(
  command: string,
): { readonly file: string; readonly needsPermission: boolean } | undefined {
  const [first = '', second = ''] = command.trim().split(/\s+/, 2);
  const needsPermission = !INTERPRETERS.has(first);
  const written = needsPermission ? first : second;
  if (!PLAIN_PATH.test(written) || (needsPermission && !written.includes('/'))) return undefined;
  const file = insidePath(written);
  return file === undefined || file === '' ? undefined : { file, needsPermission };
}

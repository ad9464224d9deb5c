import type { NamedFileState } from '../buildFacts';
import { markdownSection } from '../update/markdownSection';
import type { ManifestFinding, ManifestFix, ManifestPath } from './manifestFinding';
import { insidePath, parseDescriptionLink } from './manifestPath';
import type { ModuleManifest } from './moduleManifest';

/** Maximum size of a description that the registry accepts, according to a rule of the service. */
export const MAX_DESCRIPTION_BYTES = 1_000_000;

interface SourceFile {
  /** Path relative to the folder of the manifest, with `/`. */
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

/** Text of a description, or the reason why it can't be used. */
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
): readonly ManifestFinding[] {
  const field = path.map(String).join('.');
  const error = (code: ManifestFinding['code'], ...args: string[]): ManifestFinding[] => [
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
): readonly ManifestFinding[] {
  const error = (code: ManifestFinding['code'], ...fixes: ManifestFix[]): ManifestFinding[] => [
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

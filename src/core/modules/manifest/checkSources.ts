import type { NamedFileState } from '../buildFacts';
import { localLink } from './checkPaths';
import { commandFile } from './commandFile';
import type { ManifestFinding, ManifestFix, ManifestPath } from './manifestFinding';
import { insidePath } from './manifestPath';
import type { ModuleManifest } from './moduleManifest';

/** A file of the manifest's folder that the manifest needs. */
export interface SourceFile {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  /** Where the manifest names it. */
  readonly path: ManifestPath;
  /** A command that is started: the others are read. */
  readonly isCommand: boolean;
  readonly needsPermission: boolean;
}

/** The files beside a manifest that it names: descriptions, and scripts of its build. */
export function sourceFilesOf({ build, markdownLink, models }: ModuleManifest): SourceFile[] {
  const links: (readonly [ManifestPath, string | undefined])[] = [
    [['markdown_link'], markdownLink],
    ...models.map((model, index) => {
      return [['models', index, 'markdown_link'], model.markdownLink] as const;
    }),
  ];
  const commands = [
    [['build', 'setup'], build.setup],
    [['build', 'build'], build.build],
  ] as const;
  return [
    ...links.flatMap(([path, link]): SourceFile[] => {
      const file = insidePath(localLink(link) ?? '') ?? '';
      return file === '' ? [] : [{ file, path, isCommand: false, needsPermission: false }];
    }),
    ...commands.flatMap(([path, command]): SourceFile[] => {
      const started = command === undefined ? undefined : commandFile(command);
      return started ? [{ ...started, path: [...path], isCommand: true }] : [];
    }),
  ];
}

/** What is wrong with those files. @param stateOf tells what stands at a path of the folder */
export function checkSources(
  manifest: ModuleManifest,
  stateOf: (file: string) => NamedFileState | undefined,
): readonly ManifestFinding[] {
  return sourceFilesOf(manifest).flatMap((source) => {
    const state = stateOf(source.file);
    return state === undefined ? [] : [...checkSource(source, state)];
  });
}

function* checkSource(
  { file, path, isCommand, needsPermission }: SourceFile,
  state: NamedFileState,
): Generator<ManifestFinding> {
  const args = [path.map(String).join('.'), file];
  if (state === 'notExecutable') {
    const fixes: ManifestFix[] = [{ kind: 'makeExecutable', file }];
    if (needsPermission)
      yield { code: 'commandNotExecutable', severity: 'error', args, path, fixes };
  } else if (state === 'missing') {
    const fixes: ManifestFix[] = isCommand ? [{ kind: 'createScript', file }] : [];
    const code = isCommand ? 'commandMissing' : 'fileMissing';
    yield { code, severity: isCommand ? 'error' : 'warning', args, path, fixes };
  } else if (state !== 'ok') {
    const code = STATES[state];
    yield { code, severity: 'error', args, path, fixes: [] };
  }
}

const STATES = {
  directory: 'fileIsFolder',
  outside: 'fileOutside',
  notFile: 'fileNotFile',
} as const;

import type { BuildFacts, NamedFileFacts } from '../buildFacts';
import { platformFits } from '../binaryPlatform';
import { isPlatform, type Platform } from '../platforms';
import type { BuildCode, ManifestDiagnostic, ManifestFix } from './manifestDiagnostic';
import type { ModuleManifest } from './moduleManifest';

/**
 * Facts about a build. Only facts about the specified files are required. The other facts can be
 * missing after a partial inspection.
 */
export type ExaminedBuild = Pick<BuildFacts, 'form' | 'entrypoint' | 'firstRun'> &
  Partial<Pick<BuildFacts, 'problems'>>;

export interface CheckOptions {
  /** Target platforms of the archive; by default, the platforms in the manifest's build section. */
  readonly platforms?: readonly Platform[];
  /** Path of the build relative to the manifest; absent if the build is the manifest's folder. */
  readonly build?: string | undefined;
}

/**
 * Reports problems that prevent a build from being uploaded or started as its manifest describes,
 * so that the user sees errors before the first byte is sent.
 */
export function checkManifest(
  manifest: ModuleManifest,
  facts: ExaminedBuild,
  options: CheckOptions = {},
): readonly ManifestDiagnostic[] {
  const platforms = options.platforms ?? manifest.build.arch.filter(isPlatform);
  const { build = '' } = options;
  const canBeMade = manifest.build.build !== undefined && build === '';
  const context = { build, isFolder: facts.form === 'folder', canBeMade };
  return [
    ...checkNamedFile('entrypoint', facts.entrypoint, context),
    ...checkNamedFile('first_run', facts.firstRun, context),
    ...checkProgram(facts.entrypoint, platforms),
    ...checkContents(facts),
  ];
}

interface BuildTarget {
  readonly build: string;
  readonly isFolder: boolean;
  /** True if running the build would create the missing file. */
  readonly canBeMade: boolean;
}

function* checkNamedFile(
  field: 'entrypoint' | 'first_run',
  file: NamedFileFacts | undefined,
  { build, isFolder, canBeMade }: BuildTarget,
): Generator<ManifestDiagnostic> {
  if (!file || file.state === 'ok') return;
  const ofFile = { path: [field], args: [field, file.path, build] };
  const candidates = file.candidates.map((value): ManifestFix => {
    return { kind: 'setValue', path: [field], value };
  });
  const inFolder = build === '' ? file.path : `${build}/${file.path}`;
  if (file.state === 'missing' && isFolder && canBeMade) {
    const fixes: ManifestFix[] = [{ kind: 'build' }, ...candidates];
    yield { code: 'notBuilt', severity: 'warning', ...ofFile, fixes };
    return;
  }
  const fixes = [...candidates];
  if (isFolder && file.state === 'missing') fixes.push({ kind: 'createScript', file: inFolder });
  if (isFolder && file.state === 'notExecutable') {
    fixes.unshift({ kind: 'makeExecutable', file: inFolder });
  }
  yield { code: CODES[file.state], severity: 'error', ...ofFile, fixes };
}

const CODES: Readonly<Record<Exclude<NamedFileFacts['state'], 'ok'>, BuildCode>> = {
  missing: 'fileMissing',
  directory: 'fileIsFolder',
  notExecutable: 'fileNotExecutable',
  outside: 'fileOutside',
  notFile: 'fileNotFile',
};

/**
 * Scripts that Windows runs because of their extension. They don't need a first line that specifies
 * an interpreter.
 */
const WINDOWS_SCRIPT = /\.(?:bat|cmd)$/i;

function* checkProgram(
  file: NamedFileFacts | undefined,
  platforms: readonly Platform[],
): Generator<ManifestDiagnostic> {
  if (!file || (file.state !== 'ok' && file.state !== 'notExecutable')) return;
  const { program, platform } = file;
  const common = { path: ['entrypoint'], fixes: [] };
  if (program?.kind === 'foreign') {
    yield {
      code: 'programForeign',
      severity: 'error',
      args: [file.path, program.format],
      ...common,
    };
  } else if (program?.kind === 'script' && program.hasCarriageReturn) {
    yield { code: 'scriptLineEnds', severity: 'error', args: [file.path], ...common };
  } else if (program?.kind === 'script' && !program.interpreter.startsWith('/')) {
    yield { code: 'scriptInterpreter', severity: 'warning', args: [file.path], ...common };
  } else if (program?.kind === 'unknown' && !WINDOWS_SCRIPT.test(file.path)) {
    // Only a warning, because a Linux kernel can be configured to run other formats.
    yield { code: 'programUnknown', severity: 'warning', args: [file.path], ...common };
  }
  const incompatible = platforms.filter(
    (required) => platform && !platformFits(platform, required),
  );
  // Builds run one after the other, so the last archive doesn't have to fit all platforms.
  if (platform && platforms.length > 0 && incompatible.length === platforms.length) {
    const args = [file.path, platform, incompatible.join(', ')];
    yield { code: 'programPlatform', severity: 'error', args, ...common };
  }
}

function* checkContents({ problems = [] }: ExaminedBuild): Generator<ManifestDiagnostic> {
  for (const { code, path, target = '' } of problems) {
    yield { code, severity: 'error', args: [path, target], path: [], fixes: [] };
  }
}

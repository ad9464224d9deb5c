import { join } from 'node:path';
import type { BuildFacts, NamedFiles } from '../core/modules/buildFacts';
import { buildOutside, type ManifestDiagnostic } from '../core/modules/manifest/manifestDiagnostic';
import { checkManifest, type ExaminedBuild } from '../core/modules/manifest/checkManifest';
import { insidePath } from '../core/modules/manifest/manifestPath';
import type { ModuleManifest } from '../core/modules/manifest/moduleManifest';
import { examineDescriptions, examineScripts } from './examineSources';
import { inspectBuild } from './inspectBuild';
import { inspectFile } from './inspectFile';
import { stat } from 'node:fs/promises';

export interface ExamineOptions {
  readonly signal: AbortSignal;
  /**
   * True to inspect everything that would be uploaded; false to inspect only the files that the
   * manifest names.
   */
  readonly isThorough: boolean;
  readonly archives: ArchiveFacts;
}

/** Problems with a module's files. */
export interface Examination {
  /** Problems with the files that the manifest names. */
  readonly named: readonly ManifestDiagnostic[];
  /** Problems with other files in the build; absent if these files weren't inspected. */
  readonly contents: readonly ManifestDiagnostic[] | undefined;
}

/**
 * Compares a manifest with its folder and, if it exists, with the build output. Only reads files.
 * Doesn't run anything and doesn't inspect anything outside the folder.
 * @param folder the manifest's folder
 * @throws file system errors, and the signal's reason
 */
export async function examineModule(
  folder: string,
  manifest: ModuleManifest,
  options: ExamineOptions,
): Promise<Examination> {
  const { build, facts, isOutside } = await examineBuild(folder, manifest, options);
  const found = checkManifest(manifest, facts, { build });
  const named = found.filter(({ path }) => path.length > 0);
  const outside = isOutside ? [buildOutside(manifest.build.path ?? '')] : [];
  const sources = [
    ...(await examineDescriptions(folder, manifest, options.signal)),
    ...(await examineScripts(folder, manifest, options.signal)),
  ];
  return {
    named: [...outside, ...named, ...sources],
    contents: facts.problems && found.filter(({ path }) => path.length === 0),
  };
}

interface BuildMatch {
  /** Path of the build if the manifest names a separate build and it exists. */
  readonly build?: string;
  readonly facts: ExaminedBuild;
  /**
   * True if a link at the build's path leads out of the manifest's folder. In this case, the build
   * isn't inspected.
   */
  readonly isOutside?: boolean;
}

/**
 * Inspects the files that would be uploaded: the build output or, if there is none, the manifest's
 * folder.
 */
async function examineBuild(
  folder: string,
  manifest: ModuleManifest,
  { isThorough, signal, archives }: ExamineOptions,
): Promise<BuildMatch> {
  const named = filesInside(manifest);
  const made = manifest.build.path === undefined ? undefined : insidePath(manifest.build.path);
  if (made === undefined) {
    return {
      facts: await (isThorough
        ? inspectBuild(folder, named, { signal })
        : examineFolder(folder, named)),
    };
  }
  const { state } = await inspectFile(folder, made);
  const fullPath = join(folder, made);
  if (state === 'directory') {
    const facts = await (isThorough
      ? inspectBuild(fullPath, named, { signal })
      : examineFolder(fullPath, named));
    return { build: made, facts };
  }
  if (state !== 'ok' && state !== 'notExecutable') {
    return { facts: await examineFolder(folder, named), isOutside: state === 'outside' };
  }
  const facts = await archives.of(fullPath, named, { isThorough, signal });
  return { build: made, facts: facts ?? UNREAD };
}

/** Result for an archive that wasn't inspected. */
const UNREAD: ExaminedBuild = { form: 'archive', entrypoint: undefined, firstRun: undefined };

async function examineFolder(
  folder: string,
  { entrypoint, firstRun }: NamedFiles,
): Promise<ExaminedBuild> {
  return {
    form: 'folder',
    entrypoint: entrypoint === undefined ? undefined : await inspectFile(folder, entrypoint),
    firstRun: firstRun === undefined ? undefined : await inspectFile(folder, firstRun),
  };
}

/**
 * Returns the named files whose paths are valid. Invalid paths were already reported when the
 * manifest's text was checked.
 */
function filesInside({ entrypoint, firstRun }: ModuleManifest): NamedFiles {
  const isPath = (path: string | undefined): path is string =>
    path !== undefined && path.trim() !== '' && insidePath(path) !== undefined;
  return {
    entrypoint: isPath(entrypoint) ? entrypoint : undefined,
    firstRun: isPath(firstRun) ? firstRun : undefined,
  };
}

/**
 * Maximum size, in bytes, of archives that are inspected during editing. Larger archives are
 * inspected when they are uploaded.
 */
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;
/**
 * Maximum unpacked size in bytes. Inspecting this much takes only a few seconds for any archive.
 */
const MAX_UNPACKED_BYTES = 2 * 1024 ** 3;

interface Known {
  readonly key: string;
  /** Facts about the archive; undefined if its unpacked size exceeds the limit. */
  readonly facts: BuildFacts | undefined;
}

/**
 * Caches the facts about each archive until the archive changes, because reading a whole archive is
 * slow.
 */
export class ArchiveFacts {
  private readonly known = new Map<string, Known>();

  /** @param maxBytes unpacked size limit; larger archives have no facts */
  constructor(private readonly maxBytes = MAX_UNPACKED_BYTES) {}

  /**
   * @returns the facts; undefined if the archive is too large to be read now, or if its facts
   *   aren't cached and it must not be read
   * @throws file system errors, and the signal's reason
   */
  async of(
    path: string,
    named: NamedFiles,
    { isThorough, signal }: { readonly isThorough: boolean; readonly signal: AbortSignal },
  ): Promise<BuildFacts | undefined> {
    const { size, mtimeMs } = await stat(path);
    const key = JSON.stringify([size, mtimeMs, named.entrypoint, named.firstRun]);
    const known = this.known.get(path);
    if (known?.key === key) return known.facts;
    if (!isThorough || size > MAX_ARCHIVE_BYTES) return undefined;
    const { maxBytes } = this;
    const found = await inspectBuild(path, named, { signal, maxBytes });
    const isWhole = found.problems.every(({ code }) => code !== 'tooManyBytes');
    const facts = isWhole ? found : undefined;
    this.known.set(path, { key, facts });
    return facts;
  }
}

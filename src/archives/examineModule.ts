import { join } from 'node:path';
import type { NamedFiles } from '../core/modules/buildFacts';
import { buildOutside } from '../core/modules/manifest/buildOutside';
import { checkManifest, type ExaminedBuild } from '../core/modules/manifest/checkManifest';
import type { ManifestFinding } from '../core/modules/manifest/manifestFinding';
import { insidePath } from '../core/modules/manifest/manifestPath';
import type { ModuleManifest } from '../core/modules/manifest/moduleManifest';
import type { ArchiveFacts } from './archiveFacts';
import { examineDescriptions, examineScripts } from './examineSources';
import { inspectBuild } from './inspectBuild';
import { lookAtFile } from './lookAtFile';

export interface ExamineOptions {
  readonly signal: AbortSignal;
  /** Whether everything that would be sent is looked through, not only what the manifest names. */
  readonly isThorough: boolean;
  readonly archives: ArchiveFacts;
}

/** What is wrong with the files of a module. */
export interface Examination {
  /** With those that the manifest names. */
  readonly named: readonly ManifestFinding[];
  /** With others of the build; absent when they were not looked at. */
  readonly contents: readonly ManifestFinding[] | undefined;
}

/**
 * Holds a manifest against its folder and against what was built, as far as that is there. Only reads:
 * nothing is run, and nothing outside of the folder is looked at.
 * @param folder where the manifest is
 * @throws what the file system says, and the signal's reason
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

interface FoundBuild {
  /** Where it is, when the manifest names a place of its own for it and something is there. */
  readonly build?: string;
  readonly facts: ExaminedBuild;
  /** Whether a link leads out of the folder of the manifest there: then it is not looked at. */
  readonly isOutside?: boolean;
}

/** What would be sent: what the build made, or the folder of the manifest where there is no build. */
async function examineBuild(
  folder: string,
  manifest: ModuleManifest,
  { isThorough, signal, archives }: ExamineOptions,
): Promise<FoundBuild> {
  const named = filesInside(manifest);
  const made = manifest.build.path === undefined ? undefined : insidePath(manifest.build.path);
  if (made === undefined) {
    return {
      facts: await (isThorough ? inspectBuild(folder, named, { signal }) : look(folder, named)),
    };
  }
  const { state } = await lookAtFile(folder, made);
  const place = join(folder, made);
  if (state === 'directory') {
    const facts = await (isThorough ? inspectBuild(place, named, { signal }) : look(place, named));
    return { build: made, facts };
  }
  if (state !== 'ok' && state !== 'notExecutable') {
    return { facts: await look(folder, named), isOutside: state === 'outside' };
  }
  const facts = await archives.of(place, named, { isThorough, signal });
  return { build: made, facts: facts ?? UNREAD };
}

/** An archive that was not looked into. */
const UNREAD: ExaminedBuild = { form: 'archive', entrypoint: undefined, firstRun: undefined };

async function look(folder: string, { entrypoint, firstRun }: NamedFiles): Promise<ExaminedBuild> {
  return {
    form: 'folder',
    entrypoint: entrypoint === undefined ? undefined : await lookAtFile(folder, entrypoint),
    firstRun: firstRun === undefined ? undefined : await lookAtFile(folder, firstRun),
  };
}

/** Of the files that are named, those that can be any: the others are told of the text alone. */
function filesInside({ entrypoint, firstRun }: ModuleManifest): NamedFiles {
  const isPath = (path: string | undefined): path is string =>
    path !== undefined && path.trim() !== '' && insidePath(path) !== undefined;
  return {
    entrypoint: isPath(entrypoint) ? entrypoint : undefined,
    firstRun: isPath(firstRun) ? firstRun : undefined,
  };
}

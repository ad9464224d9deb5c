import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { getErrorCode } from '../base/errorCode';
import {
  type BuildFacts,
  MAX_BYTES,
  type NamedFileFacts,
  type NamedFiles,
  type ReadBuildOptions,
} from '../core/modules/buildFacts';
import { formatManifestDiagnostic } from '../core/modules/manifest/formatManifestDiagnostic';
import { englishLocalizer } from '../base/localizer';
import { archiveEntries } from './archiveEntries';
import { archiveFingerprint, folderEntries, FolderFingerprint } from './folderEntries';
import { BuildIndex, withProgram } from './buildIndex';
import type { BuildEntry } from './entryTable';
import { readIgnoreRules } from './ignoreRules';
import { programAt } from './inspectFile';

const READ_BYTES = 256 * 1024;
/** Error codes of failures that affect only a single file or folder, not the rest of the build. */
const CLOSED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

export interface InspectOptions extends ReadBuildOptions {
  /**
   * Maximum unpacked size in bytes. The inspection of an archive stops at this size. The default is
   * `MAX_BYTES`.
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Inspects a build, which is a folder or a `.tar.gz` archive, before it is uploaded: its contents,
 * their problems, and the files that its manifest names. Reads an archive only once, from start to
 * end.
 * @throws file system errors if the build doesn't exist, and the signal's reason.
 */
export async function inspectBuild(
  path: string,
  named: NamedFiles,
  options: InspectOptions,
): Promise<BuildFacts> {
  const stats = await stat(path);
  return stats.isDirectory()
    ? inspectFolder(path, named, options)
    : inspectArchive(path, stats, named, options);
}

/**
 * Finds the first problem that prevents packing a folder for machines, such as a link that leads
 * out of the folder.
 * @returns a sentence in English; undefined if there is no problem
 */
export async function findFolderProblem(
  folder: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const noFiles = { entrypoint: undefined, firstRun: undefined };
  const { problems } = await inspectFolder(folder, noFiles, { signal });
  const [problem] = problems;
  if (problem === undefined) return undefined;
  const { code, path, target = '' } = problem;
  return formatManifestDiagnostic({ code, args: [path, target] }, englishLocalizer);
}

async function inspectArchive(
  path: string,
  stats: Stats,
  named: NamedFiles,
  { signal, onRead, onEntry, maxBytes = MAX_BYTES }: InspectOptions,
): Promise<BuildFacts> {
  const index = new BuildIndex();
  // Opening other kinds of files, such as pipes, would block until something writes to them.
  if (stats.isFile()) {
    const content = counted(createReadStream(path, { highWaterMark: READ_BYTES }), onRead);
    const limits = { signal, maxBytes: maxBytes };
    const add = (entry: BuildEntry): boolean => {
      onEntry?.(entry);
      return index.add(entry);
    };
    const condition = await archiveEntries(content, add, limits);
    if (condition === 'tooLarge') index.note('tooManyBytes');
    else if (condition !== 'sound') index.note(condition, { path: basename(path) });
  } else {
    index.note('specialFile', { path: basename(path) });
  }
  return {
    form: 'archive',
    ...index.facts(),
    archiveBytes: stats.size,
    fingerprint: archiveFingerprint(stats),
    entrypoint: named.entrypoint === undefined ? undefined : index.named(named.entrypoint).facts,
    firstRun: named.firstRun === undefined ? undefined : index.named(named.firstRun).facts,
  };
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  onRead: InspectOptions['onRead'],
): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    onRead?.(bytes.length);
    yield bytes;
  }
}

async function inspectFolder(
  root: string,
  named: NamedFiles,
  { signal, onEntry }: InspectOptions,
): Promise<BuildFacts> {
  const index = new BuildIndex();
  const fingerprint = new FolderFingerprint();
  let isWhole = true;
  try {
    for await (const entry of folderEntries(root, await readIgnoreRules(root), signal)) {
      fingerprint.add(entry);
      onEntry?.(entry);
      isWhole = index.add(entry);
      if (!isWhole) break;
    }
  } catch (error) {
    if (!CLOSED.has(getErrorCode(error) ?? '')) throw error;
    isWhole = false;
    index.note('unreadable', { path: getErrorPath(error, root) });
  }
  const readFacts = async (path: string | undefined): Promise<NamedFileFacts | undefined> => {
    if (path === undefined) return undefined;
    const { facts, at } = index.named(path);
    const isFile = at !== undefined && (facts.state === 'ok' || facts.state === 'notExecutable');
    return isFile ? withProgram(facts, await programAt(join(root, at))) : facts;
  };
  return {
    form: 'folder',
    ...index.facts(),
    archiveBytes: undefined,
    fingerprint: isWhole ? fingerprint.value() : undefined,
    entrypoint: await readFacts(named.entrypoint),
    firstRun: await readFacts(named.firstRun),
  };
}

function getErrorPath(error: unknown, root: string): string {
  const path = error instanceof Error && 'path' in error ? String(error.path) : '';
  return path.startsWith(root) ? path.slice(root.length + 1) : path;
}

import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ahead } from '../base/ahead';
import { namesOf } from './buildEntry';
import { archiveFingerprint, FolderFingerprint } from './buildFingerprint';
import { diskBytes, diskPieces } from './diskPieces';
import { type FolderEntry, folderEntries } from './folderEntries';
import { gzipBytes } from './gzipBytes';
import { readIgnoreRules } from './ignoreRules';
import { tarEnd, tarHeader, tarPadding } from './tarHeader';

/** Files up to here are read as a whole, some ahead: opening them one by one takes most of the time. */
const SMALL_BYTES = 64 * 1024;
const FILES_AHEAD = 16;

export interface PackOptions {
  readonly signal: AbortSignal;
  /** Files that are run, from the root of the build: Windows does not know which are. */
  readonly executables?: readonly string[];
  /** Called with the bytes of files as they are read. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Of the build that was looked through (`BuildFacts.fingerprint`): nothing else is packed. */
  readonly fingerprint?: string | undefined;
}

/**
 * The bytes of a build as a `.tar.gz` archive. One that is an archive is passed on as it is; a folder is
 * packed on the way, without a copy on disk or in memory: all but version control and what its
 * `.fleetwrightignore` names. The same folder gives the same bytes.
 * @throws BuildReplaced when it is not what was looked through, FileChanged when files change in the meantime,
 *   what the file system says, and the signal's reason.
 */
export async function* packBuild(path: string, options: PackOptions): AsyncGenerator<Uint8Array> {
  const found = await stat(path);
  if (found.isDirectory()) {
    await requireSame(path, options);
    yield* gzipBytes(tarBytes(path, options));
    return;
  }
  const { fingerprint = archiveFingerprint(found) } = options;
  if (archiveFingerprint(found) !== fingerprint) throw new BuildReplaced(path);
  // The archive may be a link to the newest one, which `diskPieces` would not follow.
  const place = await realpath(path);
  const content = diskPieces(place, { size: found.size, mtime: found.mtimeMs }, options.signal);
  for await (const bytes of content) {
    options.onRead?.(bytes.length);
    yield bytes;
  }
}

/** A build is not the one that was looked through. */
export class BuildReplaced extends Error {
  override readonly name = 'BuildReplaced';

  constructor(readonly path: string) {
    super(`${path} changed after it was checked`);
  }
}

/** Goes through a folder before the first byte of it is sent: sending may take long. */
async function requireSame(
  root: string,
  { fingerprint, signal }: Pick<PackOptions, 'fingerprint' | 'signal'>,
): Promise<void> {
  if (fingerprint === undefined) return;
  const now = new FolderFingerprint();
  const entries = folderEntries(root, await readIgnoreRules(root), signal);
  for await (const entry of entries) now.add(entry);
  if (now.value() !== fingerprint) throw new BuildReplaced(root);
}

async function* tarBytes(
  root: string,
  { signal, executables = [], onRead, fingerprint }: PackOptions,
): AsyncGenerator<Uint8Array> {
  const runnable = new Set(executables.map((path) => namesOf(path).join('/')));
  const packed = new FolderFingerprint();
  async function* entries(): AsyncGenerator<FolderEntry> {
    for await (const entry of folderEntries(root, await readIgnoreRules(root), signal)) {
      packed.add(entry);
      yield entry;
    }
  }
  const opened = ahead(entries(), FILES_AHEAD, async (entry) => ({
    entry,
    content: await contentOf(root, entry, signal),
  }));
  for await (const { entry, content } of opened) {
    const isOnWindows = process.platform === 'win32';
    const isExecutable = isOnWindows ? runnable.has(entry.path) : entry.isExecutable;
    yield tarHeader(entry, isExecutable);
    for await (const bytes of content) {
      onRead?.(bytes.length);
      yield bytes;
    }
    yield tarPadding(entry.size);
  }
  // Without its end, nothing of it is registered.
  if (fingerprint !== undefined && packed.value() !== fingerprint) throw new BuildReplaced(root);
  yield tarEnd();
}

type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

async function contentOf(
  root: string,
  { path, type, size, mtime }: FolderEntry,
  signal: AbortSignal,
): Promise<Content> {
  if (type !== 'file' || size === 0) return [];
  const place = join(root, path);
  if (size > SMALL_BYTES) return diskPieces(place, { size, mtime }, signal);
  signal.throwIfAborted();
  return [await diskBytes(place, { size, mtime })];
}

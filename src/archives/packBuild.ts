import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ahead } from '../base/ahead';
import { splitPath } from './buildEntry';
import { archiveFingerprint, FolderFingerprint } from './buildFingerprint';
import { diskBytes, readDiskChunks } from './readDiskChunks';
import { type FolderEntry, folderEntries } from './folderEntries';
import { gzipBytes } from './gzipBytes';
import { readIgnoreRules } from './ignoreRules';
import { tarEnd, tarHeader, tarPadding } from './tarHeader';

/**
 * Maximum size, in bytes, of files that are read whole and in advance, because opening files one by
 * one takes most of the time.
 */
const SMALL_BYTES = 64 * 1024;
const FILES_AHEAD = 16;

export interface PackOptions {
  readonly signal: AbortSignal;
  /**
   * Paths of executable files, from the root of the build. Needed because Windows has no execute
   * permission.
   */
  readonly executables?: readonly string[];
  /** Called for each read from a file, with the number of bytes. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /**
   * Fingerprint of the inspected build (`BuildFacts.fingerprint`). A build with a different
   * fingerprint is rejected.
   */
  readonly fingerprint?: string | undefined;
}

/**
 * Yields the bytes of a build as a `.tar.gz` archive. Passes an archive through unchanged. Packs a
 * folder on the fly, without a copy on disk or in memory, and excludes version control files and
 * the files listed in `.fleetwrightignore`. Packing the same folder again yields the same bytes.
 * @throws BuildReplacedError if the build isn't the inspected one, FileChanged if files change
 *   during packing, file system errors, and the signal's reason.
 */
export async function* packBuild(path: string, options: PackOptions): AsyncGenerator<Uint8Array> {
  const found = await stat(path);
  if (found.isDirectory()) {
    await requireSame(path, options);
    yield* gzipBytes(tarBytes(path, options));
    return;
  }
  const { fingerprint = archiveFingerprint(found) } = options;
  if (archiveFingerprint(found) !== fingerprint) throw new BuildReplacedError(path);
  // Resolve the path first, because the archive can be a link to the newest archive, which
  // `readDiskChunks` wouldn't follow.
  const fullPath = await realpath(path);
  const content = readDiskChunks(
    fullPath,
    { size: found.size, mtime: found.mtimeMs },
    options.signal,
  );
  for await (const bytes of content) {
    options.onRead?.(bytes.length);
    yield bytes;
  }
}

/** Error thrown when a build isn't the one that was inspected. */
export class BuildReplacedError extends Error {
  override readonly name = 'BuildReplaced';

  constructor(readonly path: string) {
    super(`${path} changed after it was checked`);
  }
}

/**
 * Checks that a folder hasn't changed since it was inspected, before its first byte is sent.
 * Sending can take a long time.
 */
async function requireSame(
  root: string,
  { fingerprint, signal }: Pick<PackOptions, 'fingerprint' | 'signal'>,
): Promise<void> {
  if (fingerprint === undefined) return;
  const now = new FolderFingerprint();
  const entries = folderEntries(root, await readIgnoreRules(root), signal);
  for await (const entry of entries) now.add(entry);
  if (now.value() !== fingerprint) throw new BuildReplacedError(root);
}

async function* tarBytes(
  root: string,
  { signal, executables = [], onRead, fingerprint }: PackOptions,
): AsyncGenerator<Uint8Array> {
  const runnable = new Set(executables.map((path) => splitPath(path).join('/')));
  const packed = new FolderFingerprint();
  async function* entries(): AsyncGenerator<FolderEntry> {
    for await (const entry of folderEntries(root, await readIgnoreRules(root), signal)) {
      packed.add(entry);
      yield entry;
    }
  }
  const opened = ahead(entries(), FILES_AHEAD, async (entry) => ({
    entry,
    content: await readContent(root, entry, signal),
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
  // Withhold the end of the archive if the build has changed. Without the end, the service doesn't
  // register the version.
  if (fingerprint !== undefined && packed.value() !== fingerprint)
    throw new BuildReplacedError(root);
  yield tarEnd();
}

type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

async function readContent(
  root: string,
  { path, type, size, mtime }: FolderEntry,
  signal: AbortSignal,
): Promise<Content> {
  if (type !== 'file' || size === 0) return [];
  const fullPath = join(root, path);
  if (size > SMALL_BYTES) return readDiskChunks(fullPath, { size, mtime }, signal);
  signal.throwIfAborted();
  return [await diskBytes(fullPath, { size, mtime })];
}

import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { ahead } from '../base/slices';
import { splitPath } from './entryTable';
import {
  archiveFingerprint,
  folderEntries,
  type FolderEntry,
  FolderFingerprint,
} from './folderEntries';
import { diskBytes, readDiskChunks } from './readDiskChunks';
import { readIgnoreRules } from './ignoreRules';
import { tarEnd, tarHeader, tarPadding } from './tarHeader';

/**
 * Maximum size, in bytes, of files that are read whole in advance. Opening small files one by one
 * would take most of the packing time.
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
  /** Called for each read from a file, with the number of bytes read. */
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
 * @throws BuildReplacedError if the build isn't the inspected one, FileChangedError if files change
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
    { size: found.size, mtime: found.mtimeMs, changedAt: found.ctimeMs },
    options.signal,
  );
  for await (const bytes of content) {
    options.onRead?.(bytes.length);
    yield bytes;
  }
}

/** Error thrown when a build has changed or been replaced since it was inspected. */
export class BuildReplacedError extends Error {
  override readonly name = 'BuildReplacedError';

  constructor(readonly path: string) {
    super(`${path} changed after it was checked`);
  }
}

/**
 * Checks, before the first byte is sent, that a folder hasn't changed since it was inspected.
 * Otherwise, a change would be detected only at the end of sending, which can take a long time.
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
  if (fingerprint !== undefined && packed.value() !== fingerprint) {
    throw new BuildReplacedError(root);
  }
  yield tarEnd();
}

type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

async function readContent(
  root: string,
  { path, type, ...found }: FolderEntry,
  signal: AbortSignal,
): Promise<Content> {
  if (type !== 'file' || found.size === 0) return [];
  const fullPath = join(root, path);
  if (found.size > SMALL_BYTES) return readDiskChunks(fullPath, found, signal);
  signal.throwIfAborted();
  return [await diskBytes(fullPath, found)];
}

/**
 * Splits the content into blocks of equal size; the last block can be shorter. Each block has its
 * own memory, so a consumer can keep it while the next block is created.
 */
async function* inBlocks(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const bytes of content) {
    for (let start = 0; start < bytes.length;) {
      const room = Math.min(size - filled, bytes.length - start);
      block.set(bytes.subarray(start, start + room), filled);
      filled += room;
      start += room;
      if (filled < size) continue;
      yield block;
      block = Buffer.allocUnsafe(size);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/**
 * Block size in bytes. Large enough that the cost of restarting the compressor for each block is
 * negligible.
 */
const BLOCK_BYTES = 1024 * 1024;
/** Maximum distance of a back reference in compressed data. */
const WINDOW_BYTES = 32 * 1024;
/** Compression level; the same as the default of `gzip`. */
const LEVEL = 6;
/** Maximum number of threads to use. Node's pool has four, and other work needs them too. */
const MAX_THREADS = 4;
/**
 * Header according to RFC 1952: magic bytes, deflate, no flags, no time, no extra flags, unknown
 * system.
 */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** An empty final block (RFC 1951), because none of the blocks before it is marked as final. */
const LAST_BLOCK = Uint8Array.of(3, 0);
const TRAILER_BYTES = 8;

/**
 * Compresses with gzip, using as many threads as this computer has processors, up to a maximum.
 * Blocks are compressed independently, each with the end of the previous block as its dictionary,
 * into a single gzip member. The output doesn't depend on how the input is chunked. Only a few
 * blocks are in memory at a time.
 * @throws errors from reading the content.
 */
export async function* gzipBytes(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  let length = 0;
  async function* blocks(): AsyncGenerator<Block> {
    let before: Uint8Array | undefined;
    for await (const bytes of inBlocks(content, BLOCK_BYTES)) {
      checksum = crc32(bytes, checksum);
      length += bytes.length;
      yield { bytes, dictionary: before?.subarray(-WINDOW_BYTES) };
      before = bytes;
    }
  }
  yield HEADER;
  // Prepare one additional block in advance.
  yield* ahead(blocks(), Math.min(availableParallelism(), MAX_THREADS) + 1, compressed);
  yield LAST_BLOCK;
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(checksum);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  yield trailer;
}

interface Block {
  readonly bytes: Uint8Array;
  readonly dictionary: Uint8Array | undefined;
}

/** Compresses a block so that it ends on a byte boundary and another block can follow. */
function compressed({ bytes, dictionary }: Block): Promise<Uint8Array> {
  const options = {
    level: LEVEL,
    finishFlush: constants.Z_SYNC_FLUSH,
    // Allocate space for the whole block, because each time the buffer fills up, a round trip to
    // the thread pool is needed.
    chunkSize: bytes.length + WINDOW_BYTES,
    ...(dictionary && { dictionary }),
  };
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, options, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}

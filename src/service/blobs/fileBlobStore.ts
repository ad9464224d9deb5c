import { createHash, randomUUID } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { getErrorCode } from '../../base/errorCode';
import { LongWork } from '../../base/longWork';
import { syncDirectory } from '../files/durableFiles';
import { DiskSpace } from '../store/diskReserve';
import type { BlobKey, BlobStore, ByteRange, IncomingBlob, PinnedFile } from './blobStore';
import { BlobChecks, requireDigest, requireSize } from './blobChecks';

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
const INCOMING = 'incoming';
const TEMPORARY_PREFIX = 'fleetwright-blobs-';
const HASH = 'sha256';
/** Number of bytes to read or write at a time. */
const CHUNK_BYTES = 1024 * 1024;
const CHUNKS = { highWaterMark: CHUNK_BYTES };
/** Number of received bytes after which a file is flushed to disk while more bytes arrive. */
const FLUSH_BYTES = 64 * 1024 * 1024;
/**
 * Maximum number of chunks to combine. It is limited because even a small chunk requires hundreds
 * of bytes of memory.
 */
const MAX_GROUPED_CHUNKS = 1024;
/** Number of characters of a hash that determine a blob's directory. */
const FOLDER_NAME_LENGTH = 2;
const FOLDER = /^[0-9a-f]{2}$/;
const FILE_NAME = /^[0-9a-f]{62}$/;

/**
 * Opens the blobs in a directory that only this process uses, and deletes the unfinished uploads of
 * earlier processes.
 * @param directory if absent, a temporary directory is created, which `close` deletes.
 * @param longWork runs the hashing of contents
 */
export async function openFileBlobStore(
  directory: string | undefined,
  longWork = new LongWork(),
): Promise<FileBlobStore> {
  const root = directory ?? (await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)));
  await rm(join(root, INCOMING), { recursive: true, force: true });
  await makeBlobDirectory(root);
  return new FileBlobStore(root, directory === undefined, longWork);
}

/** Creates the directory of a store unless it exists. */
export async function makeBlobDirectory(root: string): Promise<void> {
  await mkdir(join(root, INCOMING), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
}

/**
 * Stores blobs as files named after the hash of their bytes, so identical contents are stored only
 * once.
 */
export class FileBlobStore implements BlobStore {
  private readonly checks = new BlobChecks();
  private readonly space: DiskSpace;
  private isFlushing = false;

  constructor(
    readonly directory: string,
    private readonly isTemporary: boolean,
    private readonly longWork: LongWork,
  ) {
    this.space = new DiskSpace(directory);
  }

  async receive(chunks: AsyncIterable<Uint8Array>): Promise<IncomingBlob> {
    const path = join(this.directory, INCOMING, randomUUID());
    try {
      const { hash, size } = await this.writeDurably(path, chunks);
      return {
        hash,
        size,
        prepare: () => Promise.resolve(),
        commit: () => this.commit(path, hash),
        [Symbol.asyncDispose]: () => rm(path, { force: true }),
      };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async open(blob: BlobKey, range?: ByteRange): Promise<Readable | undefined> {
    const file = await unlessAbsent(open(this.getPath(blob.hash)));
    if (file === undefined) return undefined;
    try {
      const version = await this.checks.requireUndamaged(blob, file);
      if (range === undefined) {
        return this.checks.verifyStream(blob, version, file.createReadStream(CHUNKS));
      }
      await this.checks.requireDigest(blob, version, () =>
        file.createReadStream({ ...CHUNKS, start: 0, autoClose: false }),
      );
      return file.createReadStream({ ...range, ...CHUNKS });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  createDownloadUrl(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /**
   * Returns the path of a blob's file in the store's directory, after reading the file unless this
   * version of it has already been read.
   * @returns undefined if the blob has no file.
   * @throws DamagedBlobError
   */
  async findUndamaged(blob: BlobKey): Promise<string | undefined> {
    await using file = await unlessAbsent(open(this.getPath(blob.hash)));
    if (file === undefined) return undefined;
    const version = await this.checks.requireUndamaged(blob, file);
    await this.checks.requireDigest(blob, version, () =>
      file.createReadStream({ ...CHUNKS, start: 0, autoClose: false }),
    );
    return blobPath(blob.hash);
  }

  async pinFile(blob: BlobKey): Promise<PinnedFile | undefined> {
    const path = await this.findUndamaged(blob);
    return path === undefined ? undefined : { path, unpin: () => undefined };
  }

  async verify(blob: BlobKey): Promise<boolean> {
    return (await this.findUndamaged(blob)) !== undefined;
  }

  async read(blob: BlobKey): Promise<Uint8Array | undefined> {
    if (blob.size > CHUNK_BYTES) {
      const stream = await this.open(blob);
      return stream && buffer(stream);
    }
    const bytes = await unlessAbsent(readFile(this.getPath(blob.hash)));
    if (bytes !== undefined) {
      requireSize(blob, bytes.length);
      requireDigest(blob, createHash(HASH).update(bytes).digest('hex'));
    }
    return bytes;
  }

  async size(hash: string): Promise<number | undefined> {
    return (await unlessAbsent(stat(this.getPath(hash))))?.size;
  }

  async remove(hash: string): Promise<void> {
    await rm(this.getPath(hash), { force: true });
  }

  // Opening the store deletes the unfinished files of earlier processes.
  removeUnfinished(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (this.isTemporary) await rm(this.directory, { recursive: true, force: true });
  }

  // If a file is replaced with one that contains the same bytes, its readers are not affected.
  private async commit(path: string, hash: string): Promise<void> {
    const directory = dirname(this.getPath(hash));
    const made = await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    await rename(path, this.getPath(hash));
    await syncDirectory(directory);
    if (made !== undefined) await syncDirectory(this.directory);
  }

  private getPath(hash: string): string {
    return join(this.directory, blobPath(hash));
  }

  /** @throws `ENOSPC` if writing the bytes would use the disk's reserve. */
  private async writeDurably(
    path: string,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<{ hash: string; size: number }> {
    const hash = createHash(HASH);
    let size = 0;
    let flushedSize = 0;
    await using file = await open(path, 'wx', OWNER_ONLY_FILE);
    // Writes one chunk while the next one arrives.
    let writing = Promise.resolve();
    let flushing = Promise.resolve();
    for await (const group of groupChunks(chunks)) {
      const bytes = sumBytes(group);
      if (bytes >= CHUNK_BYTES) await this.longWork.waitForTurn();
      group.forEach((chunk) => hash.update(chunk));
      await writing;
      if (size - flushedSize >= FLUSH_BYTES && !this.isFlushing) {
        const next = this.flush(file);
        next.catch(() => undefined);
        await flushing;
        flushing = next;
        flushedSize = size;
      }
      size += bytes;
      await requireRoom(this.space, bytes);
      writing = writeAll(file, group);
      // The errors are handled when the promises are awaited.
      writing.catch(() => undefined);
    }
    await writing;
    await flushing;
    await file.sync();
    return { hash: hash.digest('hex'), size };
  }

  /**
   * Flushes a file to disk while it is being written, so that the upload doesn't have to wait at the
   * end until the whole file is on disk. One file is flushed at a time, because each flush occupies
   * one of Node.js's few threads for files.
   * @throws the error of the disk, which the operating system reports only once
   */
  private async flush(file: FileHandle): Promise<void> {
    this.isFlushing = true;
    try {
      await file.datasync();
    } finally {
      this.isFlushing = false;
    }
  }
}

/** Returns the path of a blob's file, relative to the store. */
export function blobPath(hash: string): string {
  return join(hash.slice(0, FOLDER_NAME_LENGTH), hash.slice(FOLDER_NAME_LENGTH));
}

/** A stored blob, whose bytes have not been checked. */
export interface StoredBlob extends BlobKey {
  readonly modifiedAt: Date;
}

/** Lists the blobs in a directory; none if it doesn't exist. Other files are skipped. */
export async function* listBlobFiles(directory: string): AsyncGenerator<StoredBlob> {
  const folders = (await unlessAbsent(readdir(directory))) ?? [];
  for (const folder of folders.filter((name) => FOLDER.test(name)).sort()) {
    const names = (await unlessAbsent(readdir(join(directory, folder)))) ?? [];
    const files = await Promise.all(
      names
        .filter((name) => FILE_NAME.test(name))
        .map(async (name) => ({
          hash: folder + name,
          file: await unlessAbsent(stat(join(directory, folder, name))),
        })),
    );
    for (const { hash, file } of files) {
      if (file?.isFile() !== true) continue;
      yield { hash, size: file.size, modifiedAt: file.mtime };
    }
  }
}

/** @throws `ENOSPC` if writing the bytes would use the disk's reserve. */
async function requireRoom(space: DiskSpace, bytes: number): Promise<void> {
  if (!(await space.hasRoom(bytes))) {
    throw Object.assign(new Error('the remaining disk space is reserved for deleting'), {
      code: 'ENOSPC',
    });
  }
}

/**
 * Groups chunks, because the overhead of each write is about as high as the cost of writing a small
 * chunk. Splits large chunks, because hashing a chunk of 64 MiB would block the event loop for 100
 * ms.
 */
async function* groupChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let group: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
      const part = chunk.subarray(start, start + CHUNK_BYTES);
      group.push(part);
      bytes += part.length;
      if (bytes >= CHUNK_BYTES || group.length >= MAX_GROUPED_CHUNKS) {
        yield group;
        [group, bytes] = [[], 0];
      }
    }
  }
  if (group.length > 0) yield group;
}

// Writes all bytes, because a single write might write only some of them.
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  if (bytesWritten < sumBytes(chunks)) {
    const rest = Buffer.concat(chunks).subarray(bytesWritten);
    for (let written = 0; written < rest.length;) {
      written += (await file.write(rest, written)).bytesWritten;
    }
  }
}

function sumBytes(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

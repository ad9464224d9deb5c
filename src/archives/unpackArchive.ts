import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type ReadEntry, Unpack } from 'tar';
import { getErrorCode } from '../base/errorCode';
import { isAbsolutePath } from './entryTable';
import { StreamStart } from './archiveEntries';

const READ_BYTES = 256 * 1024;
const ANY_EXECUTE = 0o111;
const READABLE = 0o644;
const RUNNABLE = 0o755;
const UNUSABLE: ReadonlySet<string> = new Set([
  ...['ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ENOTDIR', 'EISDIR', 'EEXIST'],
]);

/** Limits on the unpacked size of an archive. */
export interface UnpackLimits {
  readonly entries: number;
  /** Maximum size of the decompressed archive. */
  readonly bytes: number;
}

/**
 * Error thrown when an archive's contents can't be unpacked. The message is a sentence for the
 * archive's author.
 */
export class ArchiveRejectedError extends Error {
  override readonly name = 'ArchiveRejectedError';
}

/**
 * Unpacks an untrusted `.tar.gz` archive into an empty folder. Creates only files and folders
 * inside that folder. Rejects the whole archive if it contains anything else, such as links,
 * devices, or paths that lead out of the folder; files that were already unpacked remain. Preserves
 * the execute permission, but neither owners nor other permissions.
 * @throws ArchiveRejectedError, file system errors, and the signal's reason.
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  { limits, signal }: { readonly limits: UnpackLimits; readonly signal: AbortSignal },
): Promise<void> {
  const unpacking = new Unpacking(folder, limits);
  const content = createReadStream(archive, { highWaterMark: READ_BYTES });
  const unzip = createGunzip({ chunkSize: READ_BYTES });
  try {
    await pipeline(content, unzip, (bytes: AsyncIterable<Buffer>) => unpacking.read(bytes), {
      signal,
    });
  } catch (error) {
    if (getErrorCode(error)?.startsWith('Z_') ?? false) throw damaged();
    throw error;
  }
}

class Unpacking {
  private entries = 0;
  private bytes = 0;
  private failure: Error | undefined;
  private readonly unpack: Unpack;

  constructor(
    folder: string,
    private readonly limits: UnpackLimits,
  ) {
    this.unpack = new Unpack({
      cwd: folder,
      preserveOwner: false,
      noMtime: true,
      // By default, the parser would also unpack zstd.
      zstd: false,
      filter: (_path, entry) => this.accepts(entry as ReadEntry),
      onwarn: (code, _message, data: unknown) => this.warned(code, data),
    });
    this.unpack.on('error', (error: Error) => this.fail(isTarError(error) ? damaged() : error));
  }

  async read(content: AsyncIterable<Buffer>): Promise<void> {
    const closed = once(this.unpack, 'close');
    // The code below checks for errors and throws them.
    closed.catch(() => undefined);
    const start = new StreamStart();
    for await (const chunk of start.of(content)) {
      if (start.isGzip) throw damaged();
      this.bytes += chunk.length;
      if (this.bytes > this.limits.bytes) throw tooLarge(this.limits.bytes);
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (!this.unpack.write(bytes) && this.failure === undefined) await this.drained();
      if (this.failure) throw this.failure;
    }
    this.unpack.end();
    await closed.catch(() => undefined);
    if (this.failure) throw this.failure;
    if (this.entries === 0) throw damaged();
  }

  private async drained(): Promise<void> {
    await once(this.unpack, 'drain').catch(() => undefined);
  }

  /** Checks an entry before any part of it is written. */
  private accepts(entry: ReadEntry): boolean {
    this.entries += 1;
    if (this.entries > this.limits.entries) {
      this.fail(
        new ArchiveRejectedError(`It contains more than ${String(this.limits.entries)} entries.`),
      );
    }
    const rejection = findRejectionReason(entry);
    if (rejection !== undefined) this.fail(new ArchiveRejectedError(rejection));
    entry.mode = ((entry.mode ?? 0) & ANY_EXECUTE) === 0 ? READABLE : RUNNABLE;
    if (entry.type === 'Directory') entry.mode = RUNNABLE;
    return this.failure === undefined;
  }

  private warned(code: string, error: unknown): void {
    if (code === 'TAR_ENTRY_ERROR') this.fail(toWriteError(error));
    if (code === 'TAR_BAD_ARCHIVE' || code === 'TAR_ABORT' || code === 'TAR_ENTRY_INVALID') {
      this.fail(damaged());
    }
  }

  private fail(error: Error): void {
    this.failure ??= error;
  }
}

function findRejectionReason({ path, type }: ReadEntry): string | undefined {
  const shown = JSON.stringify(path);
  if (isAbsolutePath(path) || path.split(/[/\\]/).includes('..')) {
    return `Its entry ${shown} is outside the archive.`;
  }
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
    case 'Directory':
      return undefined;
    case 'Link':
    case 'SymbolicLink':
      return `Its entry ${shown} is a link. Only files and folders are extracted.`;
    default:
      return `Its entry ${shown} is neither a file nor a folder.`;
  }
}

/**
 * Returns the error for an entry that can't be written: a rejection if its name is invalid, or the
 * original error if the disk fails, which another archive wouldn't fix.
 */
function toWriteError(error: unknown): Error {
  if (UNUSABLE.has(getErrorCode(error) ?? '')) {
    const message =
      "It contains names that this file system doesn't support, or a file where a folder is expected.";
    return new ArchiveRejectedError(message, { cause: error });
  }
  return error instanceof Error ? error : damaged();
}

function isTarError(error: Error): boolean {
  return 'tarCode' in error;
}

function damaged(): ArchiveRejectedError {
  return new ArchiveRejectedError('Not a valid .tar.gz archive.');
}

function tooLarge(bytes: number): ArchiveRejectedError {
  return new ArchiveRejectedError(
    `It is larger than ${String(bytes / 1024 ** 2)} MiB when extracted.`,
  );
}

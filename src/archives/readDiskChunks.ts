import type { Stats } from 'node:fs';
import { type FileHandle, readFile, realpath, stat } from 'node:fs/promises';
import { leavesFolder, openPlain } from './safePaths';
import { isAbsolute, join, relative } from 'node:path';
import { FleetError } from '../core/api/errors';
import { toDisplayText } from '../core/model/displayText';
import { MAX_DESCRIPTION_BYTES } from '../core/modules/manifest/checkSources';
import type { Localizer } from '../base/localizer';

const CHUNK_BYTES = 1024 * 1024;
/** Tolerance for file times. Some APIs round them to the nearest millisecond, others round down. */
const TIME_TOLERANCE_MS = 1;

/** Error thrown when a file has changed since it was found. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';

  constructor(readonly path: string) {
    super(`${path} changed while it was being read`);
  }
}

/** Size and modification time of a file when it was found. */
interface FileMatch {
  /** Size in bytes. */
  readonly size: number;
  /** Modification time in milliseconds since 1970. */
  readonly mtime: number;
  /** Time of the last change of the contents or attributes; undefined if it is unknown. */
  readonly changedAt?: number | undefined;
}

/**
 * Yields the content of a file on this computer in chunks and reads one chunk ahead. Buffers are
 * reused, so the consumer must finish with a chunk before requesting the next one.
 * @throws FileChangedError, at the latest after the last chunk, and file system errors.
 */
export async function* readDiskChunks(
  path: string,
  found: FileMatch,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const file = await openPlain(path);
  let reading: Promise<{ readonly bytesRead: number }> | undefined;
  try {
    const before = await statUnchanged(file, path, found);
    // One byte more than expected, to detect that the file has grown.
    const length = Math.min(CHUNK_BYTES, found.size + 1);
    let [buffer, other] = [
      Buffer.allocUnsafe(length),
      undefined as Buffer<ArrayBuffer> | undefined,
    ];
    let total = 0;
    const read = (): NonNullable<typeof reading> => {
      const started = file.read(buffer, 0, length, total);
      // The read can fail before it is awaited, which would otherwise be an unhandled rejection.
      started.catch(() => undefined);
      return started;
    };
    reading = read();
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await reading;
      if (bytesRead === 0) break;
      total += bytesRead;
      const chunk = buffer.subarray(0, bytesRead);
      [buffer, other] = [other ?? Buffer.allocUnsafe(length), buffer];
      reading = read();
      yield chunk;
    }
    if (total !== found.size || !isSame(before, await file.stat())) {
      throw new FileChangedError(path);
    }
  } finally {
    await reading?.catch(() => undefined);
    await file.close();
  }
}

/**
 * Reads a small file on this computer in one step.
 * @throws FileChangedError and file system errors.
 */
export async function diskBytes(path: string, found: FileMatch): Promise<Uint8Array> {
  const file = await openPlain(path);
  try {
    await statUnchanged(file, path, found);
    const bytes = Buffer.allocUnsafe(found.size + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead !== found.size) throw new FileChangedError(path);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function statUnchanged(file: FileHandle, path: string, found: FileMatch): Promise<Stats> {
  const stats = await file.stat();
  const age = Math.abs(stats.mtimeMs - found.mtime);
  // Unlike the modification time, programs can't set this time to conceal a change.
  const isReplaced = found.changedAt !== undefined && found.changedAt !== stats.ctimeMs;
  if (!stats.isFile() || stats.size !== found.size || age > TIME_TOLERANCE_MS || isReplaced) {
    throw new FileChangedError(path);
  }
  return stats;
}

function isSame(before: Stats, after: Stats): boolean {
  return (
    before.size === after.size &&
    before.mtimeMs === after.mtimeMs &&
    before.ctimeMs === after.ctimeMs
  );
}

/**
 * Returns a reader for text files in a manifest's folder. Files that a manifest names are published
 * with the module, so the reader doesn't read anything outside the folder, not even through links.
 *
 * @param folder absolute path on this computer
 */
export function createSiblingReader(
  folder: string,
  l10n: Localizer,
): (path: string) => Promise<string> {
  return async (path) => {
    const root = await realpath(folder);
    const fullPath = isAbsolute(path) ? path : join(root, path);
    const real = await realpath(fullPath).catch((cause: unknown) => {
      const message = l10n.t(
        'The manifest references "{0}", which doesn\'t exist.',
        toDisplayText(path),
      );
      throw new FleetError('notFound', message, { cause });
    });
    if (leavesFolder(relative(root, real))) {
      throw createInvalidError(
        l10n.t(
          'The manifest references "{0}", which is outside its folder. Descriptions are published, so only files in the folder are read.',
          toDisplayText(path),
        ),
      );
    }
    const stats = await stat(real);
    // Reading other kinds of files, such as pipes, would block until something writes to them.
    if (!stats.isFile()) {
      throw createInvalidError(
        l10n.t('The manifest references "{0}", which is not a file.', toDisplayText(path)),
      );
    }
    if (stats.size > MAX_DESCRIPTION_BYTES) {
      throw createInvalidError(
        l10n.t('"{0}" is too large to use as a description.', toDisplayText(path)),
      );
    }
    return readFile(real, 'utf8');
  };
}

function createInvalidError(message: string): FleetError {
  return new FleetError('invalid', message);
}

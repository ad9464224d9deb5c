import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openPlain } from './safePaths';

const PIECE_BYTES = 1024 * 1024;
/** Tolerance for file times. Some APIs round them to the nearest millisecond, others round down. */
const TIME_TOLERANCE_MS = 1;

/** Error thrown when a file has changed since it was found. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged';

  constructor(readonly path: string) {
    super(`${path} changed while it was being read`);
  }
}

/** Size and modification time of a file when it was found. */
interface FoundFile {
  /** Size in bytes. */
  readonly size: number;
  /** Modification time in milliseconds since 1970. */
  readonly mtime: number;
}

/**
 * Yields the content of a file on this computer in chunks and reads one chunk ahead. Buffers are
 * reused, so the consumer must finish with a chunk before requesting the next one.
 * @throws FileChanged, at the latest after the last chunk, and file system errors.
 */
export async function* readDiskChunks(
  path: string,
  found: FoundFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const file = await openPlain(path);
  let reading: Promise<{ readonly bytesRead: number }> | undefined;
  try {
    const before = await statUnchanged(file, path, found);
    // One byte more than expected, to detect that the file has grown.
    const length = Math.min(PIECE_BYTES, found.size + 1);
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
    if (total !== found.size || !isSame(before, await file.stat())) throw new FileChanged(path);
  } finally {
    await reading?.catch(() => undefined);
    await file.close();
  }
}

/**
 * Reads a small file on this computer in one step.
 * @throws FileChanged and file system errors.
 */
export async function diskBytes(path: string, found: FoundFile): Promise<Uint8Array> {
  const file = await openPlain(path);
  try {
    await statUnchanged(file, path, found);
    const bytes = Buffer.allocUnsafe(found.size + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead !== found.size) throw new FileChanged(path);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function statUnchanged(file: FileHandle, path: string, found: FoundFile): Promise<Stats> {
  const stats = await file.stat();
  const age = Math.abs(stats.mtimeMs - found.mtime);
  if (!stats.isFile() || stats.size !== found.size || age > TIME_TOLERANCE_MS) {
    throw new FileChanged(path);
  }
  return stats;
}

function isSame(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs;
}

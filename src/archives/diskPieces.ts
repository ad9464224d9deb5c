import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

const PIECE_BYTES = 1024 * 1024;
/** Times of files are told in whole milliseconds, rounded up by some and down by others. */
const TIME_TOLERANCE_MS = 1;

/** A file is not what it was when it was found. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged';

  constructor(readonly path: string) {
    super(`${path} changed while it was read`);
  }
}

/**
 * The content of a file on this machine, one piece at a time and always in the same memory: whoever takes
 * a piece is done with it before the next.
 * @throws FileChanged at the end at the latest, and what the file system says.
 */
export async function* diskPieces(
  path: string,
  /** Bytes, and milliseconds since 1970. */
  found: { readonly size: number; readonly mtime: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  // A link that took the file's place since is not followed, where systems can tell: elsewhere this is 0.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const before = await file.stat();
    const age = Math.abs(before.mtimeMs - found.mtime);
    if (before.size !== found.size || age > TIME_TOLERANCE_MS) throw new FileChanged(path);
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let total = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, total);
      if (bytesRead === 0) break;
      total += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    if (total !== found.size || !isSame(before, await file.stat())) throw new FileChanged(path);
  } finally {
    await file.close();
  }
}

function isSame(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs;
}

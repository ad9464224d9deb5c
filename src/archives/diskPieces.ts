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
 * The content of a file on this machine, one piece at a time; the next is read meanwhile. Whoever takes a
 * piece is done with it before it asks for the next: its memory is filled again.
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
  let reading: Promise<{ readonly bytesRead: number }> | undefined;
  try {
    const before = await file.stat();
    const age = Math.abs(before.mtimeMs - found.mtime);
    if (before.size !== found.size || age > TIME_TOLERANCE_MS) throw new FileChanged(path);
    // One more than there is to be, to notice that there is more.
    const length = Math.min(PIECE_BYTES, found.size + 1);
    let [buffer, other] = [
      Buffer.allocUnsafe(length),
      undefined as Buffer<ArrayBuffer> | undefined,
    ];
    let total = 0;
    const read = (): NonNullable<typeof reading> => {
      const started = file.read(buffer, 0, length, total);
      // It may fail before anybody asks for it.
      started.catch(() => undefined);
      return started;
    };
    reading = read();
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await reading;
      if (bytesRead === 0) break;
      total += bytesRead;
      const piece = buffer.subarray(0, bytesRead);
      [buffer, other] = [other ?? Buffer.allocUnsafe(length), buffer];
      reading = read();
      yield piece;
    }
    if (total !== found.size || !isSame(before, await file.stat())) throw new FileChanged(path);
  } finally {
    await reading?.catch(() => undefined);
    await file.close();
  }
}

function isSame(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs;
}

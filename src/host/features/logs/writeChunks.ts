import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { canceled } from '../../../core/api/errors';

/**
 * Writes text to a file with back pressure. Replaces an existing file only when the new one is
 * complete; on failure, the existing file stays unchanged.
 * @throws file system errors, or `canceled`.
 */
export async function writeChunks(
  path: string,
  chunks: Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${path}.${randomUUID()}.part`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(partial), { signal });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw signal.aborted ? canceled() : error;
  }
}

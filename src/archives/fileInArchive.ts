import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { isZlibError, StreamStart } from './archiveEntries';

export interface FileInArchiveOptions {
  readonly signal: AbortSignal;
  /** Maximum number of bytes to unpack. Needed because a small archive can expand to any size. */
  readonly maxUnpackedBytes: number;
  /** Maximum size of the file in bytes. Larger files aren't read. */
  readonly maxBytes: number;
}

/**
 * Reads one small file from a gzipped tar archive; stops reading the archive after the file.
 * @param isTarget returns true for the path of the file
 * @returns undefined if the file doesn't exist or is too large, or if the archive can't be read
 * @throws read errors, and the signal's reason
 */
export async function fileInArchive(
  content: AsyncIterable<Uint8Array>,
  isTarget: (path: string) => boolean,
  options: FileInArchiveOptions,
): Promise<Uint8Array | undefined> {
  const files = await filesInArchive(
    content,
    (path) => (isTarget(path) ? '' : undefined),
    1,
    options,
  );
  return files.get('');
}

/**
 * Reads multiple small files from a gzipped tar archive, like `fileInArchive`.
 * @param toName maps an entry's path to the name under which its content is returned; undefined
 *   skips the entry
 * @param count number of files after which reading stops; reading also stops if one of the files is
 *   too large
 */
export async function filesInArchive(
  content: AsyncIterable<Uint8Array>,
  toName: (path: string) => string | undefined,
  count: number,
  { signal, maxUnpackedBytes, maxBytes }: FileInArchiveOptions,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const reader = new FileReader(toName, count, maxUnpackedBytes, maxBytes);
  const read = (bytes: AsyncIterable<Uint8Array>): Promise<void> => reader.read(bytes);
  try {
    await pipeline(content, createGunzip(), read, { signal });
  } catch (error) {
    if (!(error instanceof StopReadingError) && !isZlibError(error)) throw error;
  }
  return reader.files;
}

/** Thrown to stop reading an archive before its end. */
class StopReadingError extends Error {
  override readonly name = 'StopReadingError';
}

class FileReader {
  readonly files = new Map<string, Uint8Array>();
  private isEnough = false;
  private readonly parser = new Parser({
    onReadEntry: (entry) => this.take(entry),
    // Without this option, the parser would also unpack zstd.
    zstd: false,
    onwarn: () => undefined,
  });

  constructor(
    private readonly toName: (path: string) => string | undefined,
    private readonly count: number,
    private readonly maxUnpackedBytes: number,
    private readonly maxBytes: number,
  ) {}

  async read(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const start = new StreamStart();
    let unpacked = 0;
    for await (const chunk of start.of(bytes)) {
      unpacked += chunk.length;
      if (unpacked > this.maxUnpackedBytes || start.isGzip) throw new StopReadingError();
      this.parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (this.isEnough) throw new StopReadingError();
    }
    this.parser.end();
  }

  private take(entry: ReadEntry): void {
    const name = this.isEnough || !isFile(entry) ? undefined : this.toName(entry.path);
    if (name === undefined) {
      entry.resume();
      return;
    }
    if (entry.size > this.maxBytes) {
      this.isEnough = true;
      entry.resume();
      return;
    }
    const chunks: Buffer[] = [];
    entry.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
    entry.on('end', () => {
      this.files.set(name, Buffer.concat(chunks));
      this.isEnough ||= this.files.size === this.count;
    });
  }
}

function isFile({ type }: ReadEntry): boolean {
  return type === 'File' || type === 'OldFile' || type === 'ContiguousFile';
}

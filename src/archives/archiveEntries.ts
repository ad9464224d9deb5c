import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { getErrorCode } from '../base/errorCode';
import { HEAD_BYTES, readProgramHead } from '../core/modules/binaryPlatform';
import type { BuildEntry } from './entryTable';

/**
 * ZIP signatures at the start of a file: for the first entry, or for the end record of an empty
 * archive.
 */
const ZIP = ['PK\x03\x04', 'PK\x05\x06'];
const TAR_MAGIC = 'ustar';
const TAR_MAGIC_AT = 257;
const START_BYTES = TAR_MAGIC_AT + TAR_MAGIC.length;

/**
 * Records the first bytes of a stream that passes through. Archive parsers automatically decompress
 * nested compression, which bypasses the size limits. The caller must therefore detect nested
 * compression before the parser receives the data.
 */
export class StreamStart {
  private bytes = Buffer.alloc(0);

  get isZip(): boolean {
    return ZIP.some((magic) => this.bytes.indexOf(magic, 0, 'latin1') === 0);
  }

  /**
   * True if the data is a tar archive, including GNU tar. Pre-POSIX archives have no signature and
   * aren't recognized.
   */
  get isTar(): boolean {
    return this.bytes.toString('latin1', TAR_MAGIC_AT) === TAR_MAGIC;
  }

  get isGzip(): boolean {
    return this.bytes[0] === 0x1f && this.bytes[1] === 0x8b;
  }

  async *of(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      const missing = START_BYTES - this.bytes.length;
      if (missing > 0) this.bytes = Buffer.concat([this.bytes, chunk.subarray(0, missing)]);
      yield chunk;
    }
  }
}

const ANY_EXECUTE = 0o111;
const GUNZIP_BYTES = 256 * 1024;
/**
 * Codes of node-tar warnings about an archive that it can't read. Warnings with other codes are
 * ignored.
 */
const DAMAGES: ReadonlySet<string> = new Set(['TAR_ABORT', 'TAR_BAD_ARCHIVE', 'TAR_ENTRY_INVALID']);

/** Result of reading an archive; `tooLarge` means that reading stopped at the size limit. */
export type ArchiveCondition =
  | 'sound'
  | 'notAnArchive'
  | 'zipArchive'
  | 'plainTar'
  | 'damaged'
  | 'tooLarge';

/**
 * Reports each entry of a gzipped tar archive, in order, and returns the archive's condition.
 * Discards the contents.
 * @param onEntry called for each entry; returns true to continue
 * @param maxBytes maximum number of bytes to unpack; needed because a small archive can expand to
 *   any size
 * @throws read errors, and the signal's reason
 */
export async function archiveEntries(
  content: AsyncIterable<Uint8Array>,
  onEntry: (entry: BuildEntry) => boolean,
  { signal, maxBytes }: { readonly signal: AbortSignal; readonly maxBytes: number },
): Promise<ArchiveCondition> {
  const reader = new EntryReader(onEntry, maxBytes);
  const start = new StreamStart();
  const unzip = createGunzip({ chunkSize: GUNZIP_BYTES });
  const read = (bytes: AsyncIterable<Uint8Array>): Promise<void> => reader.read(bytes);
  try {
    await pipeline(start.of(content), unzip, read, { signal });
  } catch (error) {
    if (isZlibError(error)) return start.isGzip ? 'damaged' : toArchiveCondition(start);
    if (!(error instanceof StopReadingError)) throw error;
  }
  if (reader.isTooLarge) return 'tooLarge';
  if (!reader.isDamaged || reader.isBlank) return 'sound';
  return reader.hasEntries ? 'damaged' : 'notAnArchive';
}

function toArchiveCondition({ isZip, isTar }: StreamStart): ArchiveCondition {
  if (isZip) return 'zipArchive';
  return isTar ? 'plainTar' : 'notAnArchive';
}

/** Thrown to stop reading an archive before its end. */
class StopReadingError extends Error {
  override readonly name = 'StopReadingError';
}

class EntryReader {
  hasEntries = false;
  isDamaged = false;
  isTooLarge = false;
  /** True if the unpacked data so far contains only zeros, as in an archive without entries. */
  isBlank = false;
  private isEnough = false;
  private readonly parser: Parser;

  constructor(
    private readonly onEntry: (entry: BuildEntry) => boolean,
    private readonly maxBytes: number,
  ) {
    this.parser = new Parser({
      onReadEntry: (entry) => this.take(entry),
      // Without this option, the parser would also decompress zstd.
      zstd: false,
      onwarn: (code) => {
        if (DAMAGES.has(code)) this.isDamaged = true;
      },
    });
    this.parser.on('ignoredEntry', () => {
      this.isDamaged = true;
    });
  }

  async read(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const start = new StreamStart();
    let read = 0;
    for await (const chunk of start.of(bytes)) {
      this.isBlank = (read === 0 || this.isBlank) && isZero(chunk);
      read += chunk.length;
      if (read > this.maxBytes) {
        this.isTooLarge = true;
        throw new StopReadingError();
      }
      // Treat nested compression as damage. The parser would decompress it, but machines don't.
      if (start.isGzip) this.isDamaged = true;
      else this.parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (this.isEnough || (this.isDamaged && !this.isBlank)) throw new StopReadingError();
    }
    this.parser.end();
  }

  private take(entry: ReadEntry): void {
    this.hasEntries = true;
    const buildEntry = toBuildEntry(entry);
    const report = (program?: BuildEntry['program']): void => {
      if (!this.isEnough) {
        this.isEnough = !this.onEntry(program ? { ...buildEntry, program } : buildEntry);
      }
    };
    if (buildEntry.type !== 'file' || !buildEntry.isExecutable) {
      report();
      entry.resume();
      return;
    }
    const head: Buffer[] = [];
    let length = 0;
    entry.on('data', (bytes: Buffer) => {
      if (length < HEAD_BYTES) head.push(Buffer.from(bytes.subarray(0, HEAD_BYTES - length)));
      length += bytes.length;
    });
    entry.on('end', () => report(readProgramHead(Buffer.concat(head))));
  }
}

/** Returns true if all bytes are zero. Compares buffers instead of looping over the bytes. */
function isZero(bytes: Uint8Array): boolean {
  return bytes.length > 0 && Buffer.compare(bytes, Buffer.alloc(bytes.length)) === 0;
}

function toBuildEntry({ path, type, size, mode = 0, linkpath }: ReadEntry): BuildEntry {
  const kind = toEntryType(type);
  return {
    path,
    type: kind,
    size: kind === 'file' ? size : 0,
    isExecutable: (mode & ANY_EXECUTE) !== 0,
    ...(linkpath !== undefined && { target: linkpath }),
  };
}

function toEntryType(type: ReadEntry['type']): BuildEntry['type'] {
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return 'file';
    case 'Directory':
    case 'GNUDumpDir':
      return 'folder';
    case 'SymbolicLink':
      return 'link';
    case 'Link':
      return 'hardLink';
    default:
      return 'special';
  }
}

/** Returns true if an error means that compressed data is damaged or incomplete. */
export function isZlibError(error: unknown): boolean {
  return getErrorCode(error)?.startsWith('Z_') ?? false;
}

import { type FileHandle, open } from 'node:fs/promises';

/**
 * State of SQLite's write-ahead log, which contains writes that aren't in the database file yet.
 */
export interface WriteAheadLogState {
  /** Number of unreadable bytes after the last readable entry, which SQLite skips. */
  unreadableBytes: number;
}

/**
 * Constants with the names used in the file format:
 * https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;
const PAGE_SIZE_OFFSET = 8;
const HEADER_SALT_OFFSET = 16;
const HEADER_CHECKSUM_OFFSET = 24;
const FRAME_SALT_OFFSET = 8;
const FRAME_CHECKSUM_OFFSET = 16;
const SALT_BYTES = 8;

type Checksum = readonly [number, number];

/**
 * Reads the write-ahead log of a database that isn't open in any process, the same way that SQLite
 * does when it opens the database. Entries from earlier generations, which SQLite leaves after the
 * current entries, don't count as damage.
 * @returns undefined if there is no log or the log is empty.
 */
export async function readWriteAheadLog(path: string): Promise<WriteAheadLogState | undefined> {
  await using file = await open(path).catch(ignoreAbsence);
  const size = (await file?.stat())?.size ?? 0;
  if (file === undefined || size === 0) return undefined;
  const header = await readBytes(file, 0, HEADER_BYTES);
  const isBigEndian = header.length === HEADER_BYTES && header.readUInt32BE(0) === MAGIC_BIG_ENDIAN;
  if (header.length < HEADER_BYTES || !isValidHeader(header, isBigEndian)) {
    return { unreadableBytes: size };
  }
  const salt = header.subarray(HEADER_SALT_OFFSET, HEADER_SALT_OFFSET + SALT_BYTES);
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(PAGE_SIZE_OFFSET);
  let checksum = readChecksum(header, HEADER_CHECKSUM_OFFSET);
  let isReadable = true;
  let unreadableBytes = 0;
  for (let offset = HEADER_BYTES; offset < size; offset += frameBytes) {
    const frame = await readBytes(file, offset, frameBytes);
    if (!frame.subarray(FRAME_SALT_OFFSET, FRAME_SALT_OFFSET + SALT_BYTES).equals(salt)) {
      // A partial entry that is too short to contain its salt also counts as unreadable, because
      // SQLite writes the rest of an entry immediately.
      if (isReadable && frame.length < FRAME_CHECKSUM_OFFSET) unreadableBytes += frame.length;
      isReadable = false;
      continue;
    }
    if (isReadable && frame.length === frameBytes) {
      const start = addChecksum(checksum, frame.subarray(0, FRAME_SALT_OFFSET), isBigEndian);
      checksum = addChecksum(start, frame.subarray(FRAME_HEADER_BYTES), isBigEndian);
      const [first, second] = readChecksum(frame, FRAME_CHECKSUM_OFFSET);
      if (first === checksum[0] && second === checksum[1]) continue;
    }
    isReadable = false;
    unreadableBytes += frame.length;
  }
  return { unreadableBytes };
}

function isValidHeader(header: Buffer, isBigEndian: boolean): boolean {
  if (!isBigEndian && header.readUInt32BE(0) !== MAGIC_LITTLE_ENDIAN) return false;
  const [first, second] = addChecksum(
    [0, 0],
    header.subarray(0, HEADER_CHECKSUM_OFFSET),
    isBigEndian,
  );
  const stored = readChecksum(header, HEADER_CHECKSUM_OFFSET);
  return first === stored[0] && second === stored[1];
}

function readChecksum(bytes: Buffer, offset: number): Checksum {
  return [bytes.readUInt32BE(offset), bytes.readUInt32BE(offset + 4)];
}

function addChecksum([first, second]: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  for (let offset = 0; offset < bytes.length; offset += 8) {
    const one = isBigEndian ? bytes.readUInt32BE(offset) : bytes.readUInt32LE(offset);
    const two = isBigEndian ? bytes.readUInt32BE(offset + 4) : bytes.readUInt32LE(offset + 4);
    first = (first + one + second) >>> 0;
    second = (second + two + first) >>> 0;
  }
  return [first, second];
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
  return buffer.subarray(0, bytesRead);
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

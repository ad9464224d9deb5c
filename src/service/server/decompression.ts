import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { getErrorCode } from '../../base/errorCode';

/**
 * Decompresses a message.
 * @returns undefined if it would have more than `maxBytes`
 * @throws Error for bytes that can't be decompressed
 */
export type Decompress = (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array | undefined>;

const MEBIBYTE = 1024 * 1024;
const MIN_CHUNK_BYTES = 16 * 1024;
const GZIP_SIZE_BYTES = 4;
/**
 * Maximum rate of decompression in one slot. Garbage is collected more often at higher rates, which
 * blocks the event loop for up to 100 ms each time.
 */
const DECOMPRESSED_BYTES_PER_SECOND = 16 * MEBIBYTE;
const MS_PER_SECOND = 1_000;

const DECOMPRESSORS = new Map<unknown, Decompress>(
  Object.entries({ gzip: promisify(gunzip), br: promisify(brotliDecompress) }).map(
    ([encoding, decompress]) => [
      encoding,
      async (bytes, maxOutputLength) => {
        const chunkSize = chooseChunkBytes(bytes, maxOutputLength);
        try {
          return await decompress(bytes, { maxOutputLength, chunkSize });
        } catch (error) {
          if (getErrorCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
          throw error;
        }
      },
    ],
  ),
);

/**
 * Returns the decompressor for the value of a header.
 * @returns undefined if messages aren't compressed or the algorithm isn't supported
 */
export function findDecompress(encoding: unknown): Decompress | undefined {
  return DECOMPRESSORS.get(encoding);
}

/** Returns the time in milliseconds for which a slot rests after a message of this size. */
export function getRestMs(decompressedBytes: number): number {
  return (decompressedBytes / DECOMPRESSED_BYTES_PER_SECOND) * MS_PER_SECOND;
}

/**
 * Returns the size of the chunks into which a message is decompressed. Each chunk takes one tick of
 * the event loop, and joining chunks requires a copy. A gzip message is therefore decompressed into
 * a single chunk of the size stored at the end of the message. One extra byte leaves the chunk
 * partly empty, which shows that no further chunk is needed.
 */
function chooseChunkBytes(bytes: Uint8Array, max: number): number {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes.length > GZIP_SIZE_BYTES;
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const expected = isGzip
    ? Math.min(message.readUInt32LE(bytes.length - GZIP_SIZE_BYTES), max) + 1
    : Math.min(bytes.length * 4, MEBIBYTE);
  return Math.max(expected, MIN_CHUNK_BYTES);
}

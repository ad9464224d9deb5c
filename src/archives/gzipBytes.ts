import { availableParallelism } from 'node:os';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { ahead } from '../base/ahead';
import { inBlocks } from './inBlocks';

/**
 * Block size in bytes, which is large enough that restarting the compressor has a negligible cost.
 */
const BLOCK_BYTES = 1024 * 1024;
/** Maximum distance of a back reference in compressed data. */
const WINDOW_BYTES = 32 * 1024;
/** Compression level; the same as the default of `gzip`. */
const LEVEL = 6;
/** Maximum number of threads to use. Node's pool has four, and other work needs them too. */
const MAX_THREADS = 4;
/**
 * Header according to RFC 1952: magic bytes, deflate, no flags, no time, no extra flags, unknown
 * system.
 */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** An empty final block (RFC 1951), because none of the blocks before it is marked as final. */
const LAST_BLOCK = Uint8Array.of(3, 0);
const TRAILER_BYTES = 8;

/**
 * Compresses with gzip, using as many threads as this computer has processors, up to a maximum.
 * Blocks are compressed independently, each with the end of the previous block as its dictionary,
 * into a single gzip member. The output doesn't depend on how the input is chunked. Only a few
 * blocks are in memory at a time.
 * @throws errors from reading the content.
 */
export async function* gzipBytes(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  let length = 0;
  async function* blocks(): AsyncGenerator<Block> {
    let before: Uint8Array | undefined;
    for await (const bytes of inBlocks(content, BLOCK_BYTES)) {
      checksum = crc32(bytes, checksum);
      length += bytes.length;
      yield { bytes, dictionary: before?.subarray(-WINDOW_BYTES) };
      before = bytes;
    }
  }
  yield HEADER;
  // Prepare one additional block in advance.
  yield* ahead(blocks(), Math.min(availableParallelism(), MAX_THREADS) + 1, compressed);
  yield LAST_BLOCK;
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(checksum);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  yield trailer;
}

interface Block {
  readonly bytes: Uint8Array;
  readonly dictionary: Uint8Array | undefined;
}

/** Compresses a block so that it ends on a byte boundary and another block can follow. */
function compressed({ bytes, dictionary }: Block): Promise<Uint8Array> {
  const options = {
    level: LEVEL,
    finishFlush: constants.Z_SYNC_FLUSH,
    // Allocate space for the whole block, because each time the buffer fills up costs a round trip
    // to the thread pool.
    chunkSize: bytes.length + WINDOW_BYTES,
    ...(dictionary && { dictionary }),
  };
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, options, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}

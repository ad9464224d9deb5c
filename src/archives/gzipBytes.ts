import { availableParallelism } from 'node:os';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { ahead } from '../base/ahead';
import { inBlocks } from './inBlocks';

/** As much is compressed at a time: enough that starting over costs nothing to speak of. */
const BLOCK_BYTES = 1024 * 1024;
/** As far back compressed data can refer. */
const WINDOW_BYTES = 32 * 1024;
/** That of `gzip`. */
const LEVEL = 6;
/** Node's pool has four threads, which others need too. */
const MOST_THREADS = 4;
/** RFC 1952: the magic bytes, deflate, no flags, no time, no word on speed, an unknown system. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** An empty last block of RFC 1951: those before it are each no last one. */
const LAST_BLOCK = Uint8Array.of(3, 0);
const TRAILER_BYTES = 8;

/**
 * Compresses with gzip, on as many threads as the machine has processors for. The blocks are compressed
 * apart, each with the end of the one before as its dictionary, and make up one member as `gzip` writes
 * it. The same bytes come out whatever pieces they come in. Memory stays at a few blocks.
 * @throws what reading the content throws.
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
  // One more is made ready in the meantime.
  yield* ahead(blocks(), Math.min(availableParallelism(), MOST_THREADS) + 1, compressed);
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

/** Ends at a whole byte, so that the next block can follow. */
function compressed({ bytes, dictionary }: Block): Promise<Uint8Array> {
  const options = {
    level: LEVEL,
    finishFlush: constants.Z_SYNC_FLUSH,
    // All of it at once: each time that the room ends costs a turn of the thread pool.
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

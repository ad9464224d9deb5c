/**
 * Yields the same bytes in blocks of equal size, except that the last block can be shorter. Each
 * block has its own memory, so that a consumer can keep it while the next block is created.
 */
export async function* inBlocks(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const bytes of content) {
    for (let start = 0; start < bytes.length;) {
      const room = Math.min(size - filled, bytes.length - start);
      block.set(bytes.subarray(start, start + room), filled);
      filled += room;
      start += room;
      if (filled < size) continue;
      yield block;
      block = Buffer.allocUnsafe(size);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

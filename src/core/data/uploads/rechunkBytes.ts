/**
 * Yields the same bytes in chunks of equal size, except for the last one. Sources deliver chunks of
 * any size, but services expect messages of a certain size. A chunk is valid only until the
 * consumer requests the next one, because its buffer is reused.
 */
export async function* rechunkBytes(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let buffer: Uint8Array | undefined;
  let filled = 0;
  for await (const bytes of content) {
    let start = 0;
    while (start < bytes.length) {
      const left = bytes.length - start;
      if (filled === 0 && left >= size) {
        yield bytes.subarray(start, start + size);
        start += size;
        continue;
      }
      buffer ??= new Uint8Array(size);
      const taken = Math.min(size - filled, left);
      buffer.set(bytes.subarray(start, start + taken), filled);
      filled += taken;
      start += taken;
      if (filled < size) continue;
      yield buffer;
      filled = 0;
    }
  }
  if (buffer && filled > 0) yield buffer.subarray(0, filled);
}

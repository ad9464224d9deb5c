/**
 * The same bytes in pieces of one size, of which the last may be shorter: what is read from somewhere
 * comes as it likes, and a service is sent messages of the size that it is used to. A piece is only to be
 * used until the next is asked for: its memory is filled again.
 */
export async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array | undefined;
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
      kept ??= new Uint8Array(size);
      const taken = Math.min(size - filled, left);
      kept.set(bytes.subarray(start, start + taken), filled);
      filled += taken;
      start += taken;
      if (filled < size) continue;
      yield kept;
      filled = 0;
    }
  }
  if (kept && filled > 0) yield kept.subarray(0, filled);
}

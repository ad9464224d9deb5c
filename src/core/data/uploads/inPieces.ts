/**
 * The same bytes in pieces of one size, of which the last may be shorter: what is read from somewhere
 * comes as it likes, and a service is sent messages of the size that it is used to.
 */
export async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let kept = new Uint8Array(0);
  for await (const bytes of content) {
    let rest = bytes;
    if (kept.length > 0) {
      const missing = Math.min(size - kept.length, rest.length);
      kept = joined(kept, rest.subarray(0, missing));
      rest = rest.subarray(missing);
      if (kept.length < size) continue;
      yield kept;
    }
    let start = 0;
    for (; start + size <= rest.length; start += size) yield rest.subarray(start, start + size);
    // A copy: whoever reads may fill the same memory again.
    kept = rest.slice(start);
  }
  if (kept.length > 0) yield kept;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

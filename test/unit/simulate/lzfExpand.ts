/**
 * Decompresses LZF data according to the format, which consists of runs of literal bytes and copies
 * of earlier bytes.
 */
export function lzfExpand(input: Uint8Array, length: number): Uint8Array {
  const output = new Uint8Array(length);
  let written = 0;
  for (let offset = 0; offset < input.length;) {
    const control = input[offset++] ?? 0;
    if (control < 32) {
      output.set(input.subarray(offset, offset + control + 1), written);
      offset += control + 1;
      written += control + 1;
      continue;
    }
    let count = control >> 5;
    if (count === 7) count += input[offset++] ?? 0;
    const back = (((control & 31) << 8) | (input[offset++] ?? 0)) + 1;
    if (back > written) throw new Error('a copy of what is before the beginning');
    for (let left = count + 2; left > 0; left -= 1) {
      output[written] = output[written - back] ?? 0;
      written += 1;
    }
  }
  if (written !== length) throw new Error(`${String(written)} bytes instead of ${String(length)}`);
  return output;
}

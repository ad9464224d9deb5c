/**
 * Decompresses LZF data according to the format, which consists of runs of literal bytes and copies
 * of earlier bytes.
 */
export function lzfExpand(input: Uint8Array, length: number): Uint8Array {
  const output = new Uint8Array(length);
  let written = 0;
  for (let place = 0; place < input.length;) {
    const control = input[place++] ?? 0;
    if (control < 32) {
      output.set(input.subarray(place, place + control + 1), written);
      place += control + 1;
      written += control + 1;
      continue;
    }
    let count = control >> 5;
    if (count === 7) {
      count += input[place++] ?? 0;
    }
    const back = (((control & 31) << 8) | (input[place++] ?? 0)) + 1;
    if (back > written) {
      throw new Error('a copy of what is before the beginning');
    }
    for (let left = count + 2; left > 0; left -= 1) {
      output[written] = output[written - back] ?? 0;
      written += 1;
    }
  }
  if (written !== length) {
    throw new Error(`${String(written)} bytes instead of ${String(length)}`);
  }
  return output;
}

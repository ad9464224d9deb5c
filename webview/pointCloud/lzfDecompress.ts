/** How much is written between two places where the reader may pause, in bytes. */
const PAUSE_EVERY = 1 << 20;
const LONGEST_LITERAL = 32;

/** The most bytes that LZF makes of one byte: a match of 264 bytes takes three. */
export const mostExpansion = 88;

/**
 * Decompresses LZF, pausing now and then with the number of bytes written. Ends with whether all of the
 * output was filled by exactly all of the input; whatever the input, it never reads or writes elsewhere.
 */
export function* lzfDecompress(input: Uint8Array, output: Uint8Array): Generator<number, boolean> {
  let read = 0;
  let written = 0;
  let pause = PAUSE_EVERY;
  while (read < input.length) {
    const control = input[read++] ?? 0;
    if (control < LONGEST_LITERAL) {
      const length = control + 1;
      if (read + length > input.length || written + length > output.length) return false;
      for (const end = written + length; written < end;) output[written++] = input[read++] ?? 0;
    } else {
      let length = (control >> 5) + 2;
      // A length of seven means that a byte adds to it; another one is part of the offset.
      if (length === 9) length += input[read++] ?? 0;
      let from = written - ((control & 0x1f) << 8) - (input[read++] ?? 0) - 1;
      if (read > input.length || from < 0 || written + length > output.length) return false;
      // Byte by byte: a match may reach into what it writes.
      for (const end = written + length; written < end;) output[written++] = output[from++] ?? 0;
    }
    if (written >= pause) {
      pause = written + PAUSE_EVERY;
      yield written;
    }
  }
  return written === output.length;
}

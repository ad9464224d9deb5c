/** Number of bytes to write before the next pause. */
const PAUSE_EVERY = 1 << 20;
const MAX_LITERAL_LENGTH = 32;

/** Maximum number of bytes that LZF can create from one byte: a match of 264 bytes takes three. */
export const mostExpansion = 88;

/**
 * Decompresses LZF and pauses regularly, yielding the number of bytes written. Returns true if
 * exactly all of the input filled exactly all of the output; for any input, it never reads or
 * writes out of bounds.
 */
export function* lzfDecompress(input: Uint8Array, output: Uint8Array): Generator<number, boolean> {
  let read = 0;
  let written = 0;
  let pause = PAUSE_EVERY;
  while (read < input.length) {
    const control = input[read++] ?? 0;
    if (control < MAX_LITERAL_LENGTH) {
      const length = control + 1;
      if (read + length > input.length || written + length > output.length) return false;
      for (const end = written + length; written < end;) output[written++] = input[read++] ?? 0;
    } else {
      let length = (control >> 5) + 2;
      // A length of seven means that another byte is added to it; the byte after that is part of
      // the offset.
      if (length === 9) length += input[read++] ?? 0;
      let from = written - ((control & 0x1f) << 8) - (input[read++] ?? 0) - 1;
      if (read > input.length || from < 0 || written + length > output.length) return false;
      // Byte by byte, because a match can overlap its own output.
      for (const end = written + length; written < end;) output[written++] = output[from++] ?? 0;
    }
    if (written >= pause) {
      pause = written + PAUSE_EVERY;
      yield written;
    }
  }
  return written === output.length;
}

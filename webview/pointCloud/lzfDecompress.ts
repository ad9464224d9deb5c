/** Number of bytes to write between pauses. */
const PAUSE_EVERY = 1 << 20;
const MAX_LITERAL_LENGTH = 32;

/** Maximum number of output bytes per input byte in LZF: a match of 264 bytes takes three bytes. */
export const mostExpansion = 88;

/**
 * Decompresses LZF data and pauses regularly, yielding the number of bytes written. Returns true if
 * the entire input exactly filled the output. Never reads or writes out of bounds, for any input.
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
      // A length of seven (nine including the minimum of two) means that another byte is added to
      // the length; the byte after that belongs to the offset.
      if (length === 9) length += input[read++] ?? 0;
      let from = written - ((control & 0x1f) << 8) - (input[read++] ?? 0) - 1;
      if (read > input.length || from < 0 || written + length > output.length) return false;
      // Copy byte by byte, because a match can overlap its own output.
      for (const end = written + length; written < end;) output[written++] = output[from++] ?? 0;
    }
    if (written >= pause) {
      pause = written + PAUSE_EVERY;
      yield written;
    }
  }
  return written === output.length;
}

import {
  type DisplayField,
  emptySlice,
  type EvenSample,
  namedFields,
  type PcdSlices,
  slicePoints,
} from './pcdSlice';
import type { PcdHeader } from './pcdHeader';

/**
 * Returns the number of complete points after the header of a binary file, up to the number that
 * the header declares.
 */
export function binaryPoints(bytes: Uint8Array, header: PcdHeader): number {
  const { points, bodyStart, pointBytes } = header;
  return Math.min(points, Math.floor((bytes.length - bodyStart) / pointBytes));
}

/**
 * Reads the selected points in a binary file, except any that are missing from a truncated file.
 */
export function* binarySlices(
  bytes: Uint8Array,
  header: PcdHeader,
  displayFields: readonly DisplayField[],
  sample: EvenSample,
): PcdSlices {
  const { points, bodyStart: from, pointBytes } = header;
  const fields = namedFields(header.fields, displayFields);
  const copied = (first: number, length: number): Uint8Array =>
    bytes.subarray(from + first * pointBytes, from + (first + length) * pointBytes);
  for (let first = 0; first < sample.count; first += slicePoints) {
    const length = Math.min(slicePoints, sample.count - first);
    const { file, bodyStart } = emptySlice(fields, 'binary', length, length * pointBytes);
    if (sample.isAll) {
      file.set(copied(first, length), bodyStart);
    } else {
      for (let index = 0; index < length; index += 1) {
        file.set(copied(sample.at(first + index), 1), bodyStart + index * pointBytes);
      }
    }
    yield { file: file.buffer, part: (first + length) / sample.count };
  }
  return sample.total < points ? { kind: 'truncated', values: [sample.total, points] } : undefined;
}

/** Number of bytes to write between pauses. */
const PAUSE_EVERY = 1 << 20;
const MAX_LITERAL_LENGTH = 32;

/** Maximum number of output bytes per input byte in LZF: a match of 264 bytes takes three bytes. */
export const MAX_EXPANSION = 88;

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

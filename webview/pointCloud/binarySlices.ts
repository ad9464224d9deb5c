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
 * Returns the number of complete points after the header of a binary file, at most the number that
 * the header declares.
 */
export function binaryPoints(bytes: Uint8Array, header: PcdHeader): number {
  const { points, bodyStart, pointBytes } = header;
  return Math.min(points, Math.floor((bytes.length - bodyStart) / pointBytes));
}

/**
 * Reads the selected points of a binary file, except any that are missing from a truncated file.
 */
export function* binarySlices(
  bytes: Uint8Array,
  header: PcdHeader,
  wanted: readonly DisplayField[],
  sample: EvenSample,
): PcdSlices {
  const { points, bodyStart: from, pointBytes } = header;
  const fields = namedFields(header.fields, wanted);
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

import { CloudFileError, type CloudProblemKind } from '../data/clouds/cloudViewer';
import {
  type DisplayField,
  emptySlice,
  type EvenSample,
  type PcdSlices,
  slicePoints,
} from './pcdSlice';
import { lzfDecompress, mostExpansion } from './binarySlices';
import type { PcdHeader } from './pcdHeader';

/** Maximum memory for the points in a compressed file, in bytes. */
const MAX_BYTES = 512 * 1024 * 1024;
const SIZES_BYTES = 8;
/** Approximate fraction of the total time spent on decompression. */
const DECOMPRESSING = 0.5;

/**
 * Reads the selected points in a compressed file, which is stored field by field.
 *
 * @throws CloudFileError if the file is damaged. The last field would then be missing, so nothing
 *   can be shown.
 */
export function* compressedSlices(
  bytes: Uint8Array,
  header: PcdHeader,
  wanted: readonly DisplayField[],
  sample: EvenSample,
): PcdSlices {
  const compressed = checkedBody(bytes, header);
  const plain = new Uint8Array(header.points * header.pointBytes);
  const decompressing = lzfDecompress(compressed, plain);
  let step = decompressing.next();
  for (; !step.done; step = decompressing.next()) yield undefined;
  if (!step.value) throw failure('damaged');
  const pointBytes = wanted.reduce((sum, { size }) => sum + size, 0);
  const fields = wanted.map((field) => ({ ...field, count: 1 }));
  for (let first = 0; first < sample.count; first += slicePoints) {
    const length = Math.min(slicePoints, sample.count - first);
    const { file, bodyStart } = emptySlice(fields, 'binary', length, length * pointBytes);
    let to = bodyStart;
    for (let index = 0; index < length; index += 1) {
      const point = sample.at(first + index);
      for (const { size, count, offset } of wanted) {
        const from = header.points * offset + point * size * count;
        for (let byte = 0; byte < size; byte += 1) file[to++] = plain[from + byte] ?? 0;
      }
    }
    const part = (first + length) / sample.count;
    yield { file: file.buffer, part: DECOMPRESSING + part * (1 - DECOMPRESSING) };
  }
  return undefined;
}

/**
 * Returns the compressed bytes after checking that the sizes match the header and that the points
 * fit into memory.
 */
function checkedBody(bytes: Uint8Array, header: PcdHeader): Uint8Array {
  const start = header.bodyStart + SIZES_BYTES;
  if (bytes.length < start) throw failure('truncatedBytes', 0, SIZES_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset + header.bodyStart, SIZES_BYTES);
  const [compressedSize, plainSize] = [view.getUint32(0, true), view.getUint32(4, true)];
  const expected = header.points * header.pointBytes;
  if (plainSize !== expected) throw failure('sizeDisagrees', plainSize, expected);
  if (plainSize > MAX_BYTES) throw failure('tooLarge', plainSize, MAX_BYTES);
  const there = bytes.length - start;
  if (there < compressedSize) throw failure('truncatedBytes', there, compressedSize);
  if (plainSize > compressedSize * mostExpansion) throw failure('damaged');
  return bytes.subarray(start, start + compressedSize);
}

function failure(kind: CloudProblemKind, ...values: readonly number[]): CloudFileError {
  return new CloudFileError({ kind, values });
}

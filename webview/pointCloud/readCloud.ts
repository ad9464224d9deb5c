import { type BufferGeometry, getConsoleFunction, setConsoleFunction } from 'three';
import { PCDLoader } from 'three/addons/loaders/PCDLoader.js';
import {
  type Cloud,
  CloudFileError,
  type CloudProblemKind,
  type CloudReading,
  type ReadOptions,
} from '../data/clouds/cloudViewer';
import {
  asciiSlices,
  type DisplayField,
  emptySlice,
  EvenSample,
  getDisplayFields,
  type PcdSlices,
  slicePoints,
} from './pcdSlice';
import { binaryPoints, binarySlices, lzfDecompress, MAX_EXPANSION } from './binarySlices';
import { type PcdHeader, readPcdHeader } from './pcdHeader';

/** Maximum time in milliseconds for which reading blocks the event loop. */
const MAX_BLOCK_MS = 20;

/**
 * Reads a PCD file. The three.js loader trusts the header and loads the whole file in one step.
 * Therefore, the loader receives only small files with a few points each, created from a file with
 * a validated header.
 *
 * @throws CloudFileError if nothing can be shown
 * @throws the signal's reason when aborted
 */
export async function readCloud(
  data: ArrayBuffer,
  { limit, signal, onProgress }: ReadOptions,
): Promise<CloudReading> {
  const bytes = new Uint8Array(data);
  const header = readPcdHeader(bytes);
  const displayFields = getDisplayFields(header);
  const sample = new EvenSample(pointsThere(bytes, header), limit);
  const builder = new CloudBuilder(
    sample.count,
    displayFields.map(({ loaderName }) => loaderName),
  );
  const readSlices = {
    ascii: asciiSlices,
    binary: binarySlices,
    binary_compressed: compressedSlices,
  }[header.encoding];
  const slices = readSlices(bytes, header, displayFields, sample);
  const loader = new PCDLoader();
  let since = performance.now();
  let step = slices.next();
  for (; !step.done; step = slices.next()) {
    if (step.value) {
      builder.add(parse(loader, step.value.file));
      onProgress(step.value.part);
    }
    if (performance.now() - since < MAX_BLOCK_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    since = performance.now();
  }
  const cloud = builder.build();
  return {
    encoding: header.encoding,
    fields: header.fields.map(({ name }) => name),
    cloud,
    claimed: header.points,
    taken: builder.taken,
    withoutPosition: builder.taken - cloud.count,
    ...(step.value && { problem: step.value }),
  };
}

/**
 * Returns the number of points in the file, or an upper bound if the exact number isn't known
 * before reading.
 */
function pointsThere(bytes: Uint8Array, header: PcdHeader): number {
  const { encoding, points, bodyStart, columns } = header;
  if (encoding === 'binary') return binaryPoints(bytes, header);
  if (encoding === 'binary_compressed') return points;
  // Each value takes at least one digit and one blank.
  return Math.min(points, Math.ceil((bytes.length - bodyStart + 1) / (2 * columns)));
}

/**
 * Parses a small file into a geometry. three.js logs a console error for every point without a
 * position.
 */
function parse(loader: PCDLoader, file: ArrayBuffer): BufferGeometry {
  const before = getConsoleFunction();
  setConsoleFunction(() => undefined);
  try {
    return loader.parse(file).geometry;
  } finally {
    setConsoleFunction(before);
  }
}

type Triple = [number, number, number];

/** Collects parsed points into one cloud; skips points without a position. */
class CloudBuilder {
  private count = 0;
  private seen = 0;
  private readonly positions: Float32Array;
  private readonly colors: Float32Array | undefined;
  private readonly intensities: Float32Array | undefined;
  private readonly low: Triple = [Infinity, Infinity, Infinity];
  private readonly high: Triple = [-Infinity, -Infinity, -Infinity];

  /** @param names field names that the loader uses */
  constructor(capacity: number, names: readonly string[]) {
    this.positions = new Float32Array(capacity * 3);
    if (names.includes('rgb')) this.colors = new Float32Array(capacity * 3);
    if (names.includes('intensity')) this.intensities = new Float32Array(capacity);
  }

  /** Number of added points, including those without a position. */
  get taken(): number {
    return this.seen;
  }

  add(geometry: BufferGeometry): void {
    const coordinates = getAttributeArray(geometry, 'position');
    const colors = getAttributeArray(geometry, 'color');
    const intensities = getAttributeArray(geometry, 'intensity');
    for (let from = 0; from + 2 < coordinates.length; from += 3) {
      this.seen += 1;
      const [x = NaN, y = NaN, z = NaN] = [
        coordinates[from],
        coordinates[from + 1],
        coordinates[from + 2],
      ];
      if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) continue;
      const to = this.count * 3;
      this.positions[to] = x;
      this.positions[to + 1] = y;
      this.positions[to + 2] = z;
      if (this.colors) {
        for (let part = 0; part < 3; part += 1) this.colors[to + part] = colors[from + part] ?? 0;
      }
      if (this.intensities) this.intensities[this.count] = intensities[from / 3] ?? NaN;
      this.widen(x, y, z);
      this.count += 1;
    }
  }

  build(): Cloud {
    const { count, low, high } = this;
    return {
      count,
      positions: this.positions.subarray(0, count * 3),
      colors: this.colors?.subarray(0, count * 3),
      intensities: this.intensities?.subarray(0, count),
      bounds: count > 0 ? { low, high } : undefined,
    };
  }

  private widen(x: number, y: number, z: number): void {
    const { low, high } = this;
    if (x < low[0]) low[0] = x;
    if (x > high[0]) high[0] = x;
    if (y < low[1]) low[1] = y;
    if (y > high[1]) high[1] = y;
    if (z < low[2]) low[2] = z;
    if (z > high[2]) high[2] = z;
  }
}

function getAttributeArray(geometry: BufferGeometry, name: string): ArrayLike<number> {
  return geometry.hasAttribute(name) ? geometry.getAttribute(name).array : [];
}

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
function* compressedSlices(
  bytes: Uint8Array,
  header: PcdHeader,
  displayFields: readonly DisplayField[],
  sample: EvenSample,
): PcdSlices {
  const compressed = checkedBody(bytes, header);
  const plain = new Uint8Array(header.points * header.pointBytes);
  const decompressing = lzfDecompress(compressed, plain);
  let step = decompressing.next();
  for (; !step.done; step = decompressing.next()) yield undefined;
  if (!step.value) throw failure('damaged');
  const pointBytes = displayFields.reduce((sum, { size }) => sum + size, 0);
  const fields = displayFields.map((field) => ({ ...field, count: 1 }));
  for (let first = 0; first < sample.count; first += slicePoints) {
    const length = Math.min(slicePoints, sample.count - first);
    const { file, bodyStart } = emptySlice(fields, 'binary', length, length * pointBytes);
    let to = bodyStart;
    for (let index = 0; index < length; index += 1) {
      const point = sample.at(first + index);
      for (const { size, count, offset } of displayFields) {
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
  if (plainSize > compressedSize * MAX_EXPANSION) throw failure('damaged');
  return bytes.subarray(start, start + compressedSize);
}

function failure(kind: CloudProblemKind, ...values: readonly number[]): CloudFileError {
  return new CloudFileError({ kind, values });
}

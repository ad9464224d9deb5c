import { type BufferGeometry, getConsoleFunction, setConsoleFunction } from 'three';
import { PCDLoader } from 'three/addons/loaders/PCDLoader.js';
import type { CloudReading, ReadOptions } from '../data/clouds/cloudViewer';
import { asciiSlices, EvenSample, getDisplayFields } from './pcdSlice';
import { binaryPoints, binarySlices } from './binarySlices';
import { CloudBuilder } from './cloudBuilder';
import { compressedSlices } from './compressedSlices';
import { readPcdHeader, type PcdHeader } from './pcdHeader';

/** Maximum time in milliseconds for which reading blocks the event loop. */
const STRETCH = 20;

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
  const wanted = getDisplayFields(header);
  const sample = new EvenSample(pointsThere(bytes, header), limit);
  const builder = new CloudBuilder(
    sample.count,
    wanted.map(({ loaderName }) => loaderName),
  );
  const readSlices = {
    ascii: asciiSlices,
    binary: binarySlices,
    binary_compressed: compressedSlices,
  }[header.encoding];
  const slices = readSlices(bytes, header, wanted, sample);
  const loader = new PCDLoader();
  let since = performance.now();
  let step = slices.next();
  for (; !step.done; step = slices.next()) {
    if (step.value) {
      builder.add(parse(loader, step.value.file));
      onProgress(step.value.part);
    }
    if (performance.now() - since < STRETCH) continue;
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

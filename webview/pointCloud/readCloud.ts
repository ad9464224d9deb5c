import { type BufferGeometry, getConsoleFunction, setConsoleFunction } from 'three';
import { PCDLoader } from 'three/addons/loaders/PCDLoader.js';
import type { CloudReading, ReadOptions } from '../data/clouds/cloudViewer';
import { asciiSlices } from './asciiSlices';
import { binaryPoints, binarySlices } from './binarySlices';
import { CloudBuilder } from './cloudBuilder';
import { compressedSlices } from './compressedSlices';
import { EvenSample } from './evenSample';
import { readPcdHeader, type PcdHeader } from './pcdHeader';
import { wantedFields } from './wantedFields';

/** The window is blocked no longer than this by one stretch of reading, in milliseconds. */
const STRETCH = 20;

/**
 * Reads a PCD file. three's loader takes a file for what its header says, and all of it at once; it is
 * given small files of a few points each, made from one whose header was checked.
 *
 * @throws CloudFileError for what cannot be shown at all
 * @throws the signal's reason when aborted
 */
export async function readCloud(
  data: ArrayBuffer,
  { limit, signal, onProgress }: ReadOptions,
): Promise<CloudReading> {
  const bytes = new Uint8Array(data);
  const header = readPcdHeader(bytes);
  const wanted = wantedFields(header);
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
    ...{ encoding: header.encoding, fields: header.fields.map(({ name }) => name), cloud },
    ...{ claimed: header.points, taken: builder.taken },
    withoutPlace: builder.taken - cloud.count,
    ...(step.value && { problem: step.value }),
  };
}

/** How many points to choose from: as many as are there, as far as that is known before reading them. */
function pointsThere(bytes: Uint8Array, header: PcdHeader): number {
  const { encoding, points, bodyStart, columns } = header;
  if (encoding === 'binary') return binaryPoints(bytes, header);
  if (encoding === 'binary_compressed') return points;
  // Each value has a digit and a blank at least.
  return Math.min(points, Math.ceil((bytes.length - bodyStart + 1) / (2 * columns)));
}

/** The geometry of a small file. three complains to the console of every point that has no place. */
function parse(loader: PCDLoader, file: ArrayBuffer): BufferGeometry {
  const before = getConsoleFunction();
  setConsoleFunction(() => undefined);
  try {
    return loader.parse(file).geometry;
  } finally {
    setConsoleFunction(before);
  }
}

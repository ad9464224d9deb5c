import type { CloudProblem } from '../data/clouds/cloudViewer';
import type { PcdField } from './pcdHeader';
import type { WantedField } from './wantedFields';

/** A few points of a file, as a small file of its own that holds what its header says. */
export interface PcdSlice {
  readonly file: ArrayBuffer;
  /** How much has been read with it, from 0 to 1. */
  readonly part: number;
}

/**
 * Reads points of a file, pausing often: with some of them, or with nothing after a stretch of work that
 * yields none. Ends with what is wrong with the rest of the file.
 */
export type PcdSlices = Generator<PcdSlice | undefined, CloudProblem | undefined>;

/** So many points are parsed within a few milliseconds. */
export const slicePoints = 16_384;

/** A small PCD file with room for its points, which begin at `bodyStart`. */
export function emptySlice(
  fields: readonly (PcdField | WantedField)[],
  encoding: 'ascii' | 'binary',
  points: number,
  bodyBytes: number,
): { file: Uint8Array<ArrayBuffer>; bodyStart: number } {
  const row = (cell: (field: PcdField | WantedField) => string | number): string =>
    fields.map(cell).join(' ');
  const header = [
    'VERSION .7',
    // The loader looks at fields by their names: those that are not wanted have none that it knows.
    `FIELDS ${row((field) => ('loaderName' in field ? field.loaderName : '_'))}`,
    `SIZE ${row(({ size }) => size)}`,
    `TYPE ${row(({ type }) => type)}`,
    `COUNT ${row(({ count }) => count)}`,
    `WIDTH ${points}`,
    'HEIGHT 1',
    `POINTS ${points}`,
    `DATA ${encoding}\n`,
  ].join('\n');
  const start = new TextEncoder().encode(header);
  const file = new Uint8Array(start.length + bodyBytes);
  file.set(start);
  return { file, bodyStart: start.length };
}

/** The fields of a file, those that are shown under the names of the loader. */
export function namedFields(
  fields: readonly PcdField[],
  wanted: readonly WantedField[],
): readonly (PcdField | WantedField)[] {
  return fields.map((field) => wanted.find(({ column }) => column === field.column) ?? field);
}

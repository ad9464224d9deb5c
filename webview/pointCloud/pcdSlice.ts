import type { CloudProblem } from '../data/clouds/cloudViewer';
import type { PcdField } from './pcdHeader';
import type { DisplayField } from './getDisplayFields';

/** A few points of a file, as a separate small file with its own header. */
export interface PcdSlice {
  readonly file: ArrayBuffer;
  /** Fraction of the file that has been read up to and including this slice, from 0 to 1. */
  readonly part: number;
}

/**
 * Generator that reads points of a file and pauses often: it yields a slice, or undefined after
 * work that produced no points, and returns the problem with the rest of the file, if any.
 */
export type PcdSlices = Generator<PcdSlice | undefined, CloudProblem | undefined>;

/** Number of points that can be parsed within a few milliseconds. */
export const slicePoints = 16_384;

/** Returns a small PCD file with space for points, starting at `bodyStart`. */
export function emptySlice(
  fields: readonly (PcdField | DisplayField)[],
  encoding: 'ascii' | 'binary',
  points: number,
  bodyBytes: number,
): { file: Uint8Array<ArrayBuffer>; bodyStart: number } {
  const row = (cell: (field: PcdField | DisplayField) => string | number): string =>
    fields.map(cell).join(' ');
  const header = [
    'VERSION .7',
    // The loader finds fields by name, so fields that aren't shown get a name that it doesn't
    // recognize.
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

/** Returns all fields of a file; shown fields have the names that the loader expects. */
export function namedFields(
  fields: readonly PcdField[],
  wanted: readonly DisplayField[],
): readonly (PcdField | DisplayField)[] {
  return fields.map((field) => wanted.find(({ column }) => column === field.column) ?? field);
}

import { CloudFileError, type CloudProblem } from '../data/clouds/cloudViewer';
import type { PcdField, PcdHeader } from './pcdHeader';

/** A few points from a file, as a separate small file with its own header. */
export interface PcdSlice {
  readonly file: ArrayBuffer;
  /** Fraction of the file that has been read up to and including this slice, from 0 to 1. */
  readonly part: number;
}

/**
 * Generator that reads points from a file and pauses often. It yields a slice, or undefined after
 * work that produced no points. It returns the problem with the rest of the file, if any.
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
    // The loader finds fields by name, so fields that aren't shown get a name that the loader
    // doesn't recognize.
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

/** Returns all fields in a file; displayed fields have the names that the loader expects. */
export function namedFields(
  fields: readonly PcdField[],
  displayFields: readonly DisplayField[],
): readonly (PcdField | DisplayField)[] {
  return fields.map(
    (field) => displayFields.find(({ column }) => column === field.column) ?? field,
  );
}

const LINE_FEED = 10;
const SPACE = 32;
/**
 * Maximum length of a line. Lines have only a few numbers, so a file with longer lines isn't text.
 */
const MAX_LINE_LENGTH = 1 << 20;

/** Position of a line that contains a point. */
interface Line {
  readonly start: number;
  /** End offset of the line (exclusive), before the line feed. */
  readonly end: number;
  /** Number of values on the line. */
  readonly values: number;
}

/** Reads the selected points in a text file line by line. */
export function* asciiSlices(
  bytes: Uint8Array,
  header: PcdHeader,
  displayFields: readonly DisplayField[],
  sample: EvenSample,
): PcdSlices {
  const { points, columns } = header;
  const fields = namedFields(header.fields, displayFields);
  let at = header.bodyStart;
  let point = 0;
  let chosen = 0;
  while (chosen < sample.count) {
    const lines: Line[] = [];
    let problem: 'truncated' | 'badPoint' | undefined;
    for (let seen = 0; seen < slicePoints && chosen < sample.count; seen += 1) {
      const line = nextLine(bytes, at);
      if (!line) {
        problem = 'truncated';
      }
      // Ignore a truncated file's incomplete last line.
      else if (line.values < columns) {
        problem = line.end === bytes.length ? 'truncated' : 'badPoint';
      }
      if (!line || problem) break;
      at = line.end + 1;
      if (sample.at(chosen) === point) {
        lines.push(line);
        chosen += 1;
      }
      point += 1;
    }
    if (lines.length > 0) {
      yield { file: createSlice(bytes, lines, fields), part: at / bytes.length };
    } else {
      yield undefined;
    }
    if (problem === 'truncated') return { kind: problem, values: [point, points] };
    if (problem) return { kind: problem, values: [point + 1, points] };
  }
  return undefined;
}

/** Returns the next line that isn't blank. */
function nextLine(bytes: Uint8Array, from: number): Line | undefined {
  let start = from;
  let values = 0;
  let wasBlank = true;
  for (let at = from; at < bytes.length && at - start < MAX_LINE_LENGTH; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === LINE_FEED) {
      if (values > 0) return { start, end: at, values };
      start = at + 1;
    }
    // Tabs and carriage returns also count as blanks.
    const isBlank = byte <= SPACE;
    if (wasBlank && !isBlank) values += 1;
    wasBlank = isBlank;
  }
  if (values === 0) return undefined;
  const isLast = bytes.length - start < MAX_LINE_LENGTH;
  return isLast
    ? { start, end: bytes.length, values }
    : { start, end: start + MAX_LINE_LENGTH, values: 0 };
}

function createSlice(
  bytes: Uint8Array,
  lines: readonly Line[],
  fields: Parameters<typeof emptySlice>[0],
): ArrayBuffer {
  const length = lines.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const { file, bodyStart } = emptySlice(fields, 'ascii', lines.length, length);
  let to = bodyStart;
  for (const { start, end } of lines) {
    file.set(bytes.subarray(start, end), to);
    to += end - start;
    file[to++] = LINE_FEED;
  }
  return file.buffer;
}

/** A shown field, with the name that the three.js loader expects. */
export interface DisplayField extends PcdField {
  readonly loaderName: 'x' | 'y' | 'z' | 'rgb' | 'intensity';
}

const axes = ['x', 'y', 'z'] as const;

/**
 * Returns the shown fields.
 * @throws CloudFileError if there are no coordinates
 */
export function getDisplayFields({ fields, encoding }: PcdHeader): readonly DisplayField[] {
  // Text files can contain any number; in binary files, the loader doesn't support 8-byte integers.
  const isReadable = ({ type, size, count }: PcdField): boolean =>
    count > 0 && (encoding === 'ascii' || type === 'F' || size < 8);
  const find = (name: string): PcdField | undefined => fields.find((one) => one.name === name);
  const axisFields = axes.map((loaderName) => {
    const field = find(loaderName);
    if (!field) throw new CloudFileError({ kind: 'noPositions', values: [] });
    if (!isReadable(field)) {
      throw new CloudFileError({ kind: 'unreadableField', values: [loaderName] });
    }
    return { ...field, loaderName };
  });
  const intensity = find('intensity');
  const color = find('rgb') ?? find('rgba');
  return [
    ...axisFields,
    ...(color?.size === 4 && isReadable(color) ? [{ ...color, loaderName: 'rgb' as const }] : []),
    ...(intensity && isReadable(intensity)
      ? [{ ...intensity, loaderName: 'intensity' as const }]
      : []),
  ];
}

/**
 * Selects up to `limit` of `total` items evenly, with one item from each of `limit` ranges of equal
 * length. The choice within a range is deterministic but pseudorandom, so that clouds with points
 * in rows and columns show no stripes.
 */
export class EvenSample {
  readonly count: number;

  constructor(
    readonly total: number,
    limit: number,
  ) {
    this.count = Math.min(total, limit);
  }

  get isAll(): boolean {
    return this.count === this.total;
  }

  /** Returns the item at an index in the sample. Items are in ascending order. */
  at(index: number): number {
    if (this.isAll) return index;
    const start = this.getBucketStart(index);
    const length = this.getBucketStart(index + 1) - start;
    return start + Math.floor(scatter(index) * length);
  }

  private getBucketStart(index: number): number {
    return Math.floor((index * this.total) / this.count);
  }
}

/** Hashes an integer to a number in [0, 1); the hashes of neighboring integers are far apart. */
function scatter(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

import { CloudFileError, type CloudProblemKind } from '../data/clouds/cloudViewer';

/** A field that every point has. */
export interface PcdField {
  readonly name: string;
  readonly type: 'F' | 'I' | 'U';
  /** Size, in bytes, of one value. */
  readonly size: number;
  /** Number of values per point. */
  readonly count: number;
  /** In a binary file: the field's byte offset from the start of a point. */
  readonly offset: number;
  /** In a text file: index of the field's first value on a line. */
  readonly column: number;
}

const pcdEncodings = ['ascii', 'binary', 'binary_compressed'] as const;
export type PcdEncoding = (typeof pcdEncodings)[number];

/** The validated header of a PCD file. */
export interface PcdHeader {
  readonly fields: readonly PcdField[];
  readonly points: number;
  readonly encoding: PcdEncoding;
  /** Byte offset of the point data from the start of the file. */
  readonly bodyStart: number;
  /** Size of a point in a binary file, in bytes. */
  readonly pointBytes: number;
  /** Number of values per line in a text file. */
  readonly columns: number;
}

/**
 * Maximum header length in bytes. A PCD header has about a dozen short lines, so a file with a
 * longer header isn't a PCD file.
 */
const MAX_HEADER_LENGTH = 65_536;
const MAX_FIELDS = 256;
const MAX_VALUES = 65_536;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

const types = ['F', 'I', 'U'] as const;
const SIZES_BY_TYPE = { F: [4, 8], I: [1, 2, 4, 8], U: [1, 2, 4, 8] } as const;

/**
 * Reads and validates the header of a PCD file, version 0.7 or earlier. Doesn't check the points.
 *
 * @throws CloudFileError
 */
export function readPcdHeader(bytes: Uint8Array): PcdHeader {
  const { lines, bodyStart } = headerLines(bytes);
  const encoding = pcdEncodings.find((one) => one === lines.get('DATA')?.[0]?.toLowerCase());
  if (!encoding) throw failure('badLine', 'DATA');
  const fields = readFields(lines);
  const last = fields.at(-1);
  const width = wholeNumber(lines, 'WIDTH');
  const height = lines.has('HEIGHT') ? wholeNumber(lines, 'HEIGHT') : 1;
  const points = lines.has('POINTS') ? wholeNumber(lines, 'POINTS') : width * height;
  if (points !== width * height) throw failure('pointsDisagree', points, width, height);
  return {
    fields,
    points,
    encoding,
    bodyStart,
    pointBytes: last ? last.offset + last.size * last.count : 0,
    columns: last ? last.column + last.count : 0,
  };
}

/** Returns the header lines by keyword, without comments. */
function headerLines(bytes: Uint8Array): {
  lines: ReadonlyMap<string, readonly string[]>;
  bodyStart: number;
} {
  const lines = new Map<string, readonly string[]>();
  const text = new TextDecoder('latin1');
  for (let start = 0; start < bytes.length && start < MAX_HEADER_LENGTH;) {
    const end = bytes.subarray(0, start + MAX_HEADER_LENGTH).indexOf(LINE_FEED, start);
    if (end < 0) break;
    const isReturned = bytes[end - 1] === CARRIAGE_RETURN;
    const line = text.decode(bytes.subarray(start, isReturned ? end - 1 : end));
    start = end + 1;
    const [keyword = '', ...values] = line.trim().split(/\s+/);
    if (keyword === '' || keyword.startsWith('#')) continue;
    if (!/^[a-z]+$/i.test(keyword)) break;
    lines.set(keyword.toUpperCase(), values);
    if (keyword.toUpperCase() === 'DATA') return { lines, bodyStart: start };
  }
  if (lines.has('FIELDS') && lines.has('VERSION')) throw failure('missingLine', 'DATA');
  throw failure('notPcd');
}

function readFields(lines: ReadonlyMap<string, readonly string[]>): readonly PcdField[] {
  const names = getHeaderValues(lines, 'FIELDS');
  const sizes = getHeaderValues(lines, 'SIZE');
  const kinds = getHeaderValues(lines, 'TYPE');
  const counts = lines.get('COUNT') ?? names.map(() => '1');
  if (names.length > MAX_FIELDS) throw failure('badLine', 'FIELDS');
  for (const [keyword, { length }] of [
    ['SIZE', sizes],
    ['TYPE', kinds],
    ['COUNT', counts],
  ] as const) {
    if (length !== names.length) throw failure('differentLengths', keyword, length, names.length);
  }
  let [offset, column] = [0, 0];
  return names.map((name, index) => {
    const type = types.find((one) => one === kinds[index]?.toUpperCase());
    if (!type) throw failure('badLine', 'TYPE');
    const size = Number(sizes[index]);
    if (!SIZES_BY_TYPE[type].some((one) => one === size)) throw failure('badLine', 'SIZE');
    const count = Number(counts[index]);
    if (!(Number.isInteger(count) && count >= 0)) throw failure('badLine', 'COUNT');
    const field: PcdField = { name: name.toLowerCase(), type, size, count, offset, column };
    offset += size * count;
    column += count;
    if (column > MAX_VALUES) throw failure('badLine', 'COUNT');
    return field;
  });
}

function getHeaderValues(
  lines: ReadonlyMap<string, readonly string[]>,
  keyword: string,
): readonly string[] {
  const values = lines.get(keyword);
  if (!values) throw failure('missingLine', keyword);
  if (values.length === 0) throw failure('badLine', keyword);
  return values;
}

function wholeNumber(lines: ReadonlyMap<string, readonly string[]>, keyword: string): number {
  const [text = '', ...others] = getHeaderValues(lines, keyword);
  const value = Number(text);
  const isWhole = /^\d+$/.test(text) && Number.isSafeInteger(value);
  if (!isWhole || others.length > 0) throw failure('badLine', keyword);
  return value;
}

function failure(kind: CloudProblemKind, ...values: readonly (string | number)[]): CloudFileError {
  return new CloudFileError({ kind, values });
}

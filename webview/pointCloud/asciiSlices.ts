import type { EvenSample } from './evenSample';
import type { PcdHeader } from './pcdHeader';
import { emptySlice, namedFields, type PcdSlices, slicePoints } from './pcdSlice';
import type { DisplayField } from './getDisplayFields';

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

/** Reads the selected points of a text file line by line. */
export function* asciiSlices(
  bytes: Uint8Array,
  header: PcdHeader,
  wanted: readonly DisplayField[],
  sample: EvenSample,
): PcdSlices {
  const { points, columns } = header;
  const fields = namedFields(header.fields, wanted);
  let at = header.bodyStart;
  let point = 0;
  let chosen = 0;
  while (chosen < sample.count) {
    const lines: Line[] = [];
    let problem: 'truncated' | 'badPoint' | undefined;
    for (let seen = 0; seen < slicePoints && chosen < sample.count; seen += 1) {
      const line = nextLine(bytes, at);
      if (!line) problem = 'truncated';
      // Ignore the incomplete last line of a truncated file.
      else if (line.values < columns)
        problem = line.end === bytes.length ? 'truncated' : 'badPoint';
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

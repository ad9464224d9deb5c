import type { EvenSample } from './evenSample';
import type { PcdHeader } from './pcdHeader';
import { emptySlice, namedFields, type PcdSlices, slicePoints } from './pcdSlice';
import type { WantedField } from './wantedFields';

const LINE_FEED = 10;
const SPACE = 32;
/** Lines have a few numbers each; a longer one is not text. */
const LONGEST_LINE = 1 << 20;

/** Where a line with a point is. */
interface Line {
  readonly start: number;
  /** After its end, without the line feed. */
  readonly end: number;
  /** How many values it has. */
  readonly values: number;
}

/** Reads the chosen points of a text file, whose lines are looked at one by one. */
export function* asciiSlices(
  bytes: Uint8Array,
  header: PcdHeader,
  wanted: readonly WantedField[],
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
      // The last line of a file that was cut off.
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
      yield { file: sliceOf(bytes, lines, fields), part: at / bytes.length };
    } else {
      yield undefined;
    }
    if (problem === 'truncated') return { kind: problem, values: [point, points] };
    if (problem) return { kind: problem, values: [point + 1, points] };
  }
  return undefined;
}

/** The next line that is not blank. */
function nextLine(bytes: Uint8Array, from: number): Line | undefined {
  let start = from;
  let values = 0;
  let wasBlank = true;
  for (let at = from; at < bytes.length && at - start < LONGEST_LINE; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === LINE_FEED) {
      if (values > 0) return { start, end: at, values };
      start = at + 1;
    }
    // Tabs and carriage returns are blank as well.
    const isBlank = byte <= SPACE;
    if (wasBlank && !isBlank) values += 1;
    wasBlank = isBlank;
  }
  if (values === 0) return undefined;
  const isLast = bytes.length - start < LONGEST_LINE;
  return isLast
    ? { start, end: bytes.length, values }
    : { start, end: start + LONGEST_LINE, values: 0 };
}

function sliceOf(
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

/**
 * Range of a file, starting at an offset, whose lines have the same number of columns. Later ranges
 * have more columns.
 */
export interface ColumnCountRange {
  readonly from: number;
  readonly width: number;
}

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;
const COMMA = 0x2c;

/**
 * Gives all lines of CSV the same number of cells: appends empty cells to lines that were written
 * before the last column appeared. Reads each byte once and buffers nothing.
 * @param content from the first byte of the first range on
 * @param ranges ranges in the order of the content, each starting at the beginning of a line
 * @param width number of columns of each line
 */
export async function* padCsv(
  content: AsyncIterable<Uint8Array>,
  ranges: readonly ColumnCountRange[],
  width: number,
): AsyncGenerator<Uint8Array> {
  const [first, ...later] = ranges;
  if (!first) return;
  let at = first.from;
  let pad = new LinePad(width - first.width);
  for await (const chunk of content) {
    let rest = chunk;
    while (rest.length > 0) {
      const [next] = later;
      if (next && at >= next.from) {
        pad = new LinePad(width - next.width);
        later.shift();
        continue;
      }
      const length = Math.min(rest.length, (next?.from ?? Infinity) - at);
      yield pad.of(rest.subarray(0, length));
      rest = rest.subarray(length);
      at += length;
    }
  }
}

/** Appends empty cells to lines, which can arrive in chunks. */
class LinePad {
  private isQuoted = false;

  constructor(private readonly cells: number) {}

  of(chunk: Uint8Array): Uint8Array {
    if (this.cells === 0) return chunk;
    const ends = this.findLineEnds(chunk);
    const padded = new Uint8Array(chunk.length + ends.length * this.cells);
    let from = 0;
    ends.forEach((end, index) => {
      const to = from + index * this.cells;
      padded.set(chunk.subarray(from, end), to);
      padded.fill(COMMA, end + index * this.cells, end + (index + 1) * this.cells);
      from = end;
    });
    padded.set(chunk.subarray(from), from + ends.length * this.cells);
    return padded;
  }

  /** Returns the positions of line ends. A line break within quotes is part of a text. */
  private findLineEnds(chunk: Uint8Array): readonly number[] {
    const ends: number[] = [];
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === QUOTE) this.isQuoted = !this.isQuoted;
      else if (byte === CARRIAGE_RETURN && !this.isQuoted) ends.push(index);
    }
    return ends;
  }
}

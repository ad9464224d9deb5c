import {
  type ExportFile,
  guardFormula,
  type RecordLayout,
  type RecordWriter,
} from './recordWriter';
import type { WorkbookStrings } from './xlsx/sheetCell';
import { XlsxWriter } from './xlsx/xlsxWriter';
import { formatJson, formatPlainValue } from '../tables/formatCell';
import { DataColumns } from '../tables/dataColumns';
import type { DataValue } from '../tables/dataValue';

/** File formats that can be written while records are still arriving. */
export type RecordFormat = 'csv' | 'ndjson' | 'json' | 'xlsx';

/** Number of rows per chunk, small enough to yield to other work between chunks. */
const ROWS_IN_CHUNK = 1_000;

/** Returns a writer for a format. @param workbook localized strings, required for workbooks */
export function recordWriter<Record>(
  format: RecordFormat,
  file: ExportFile,
  layout: RecordLayout<Record>,
  workbook?: WorkbookStrings,
): RecordWriter<Record> {
  switch (format) {
    case 'csv':
      return new CsvWriter(file, layout);
    case 'ndjson':
      return new JsonWriter(file, layout, LINE_SIGNS);
    case 'xlsx':
      if (!workbook) throw new TypeError('A workbook needs its strings.');
      return new XlsxWriter(file, layout, workbook);
    case 'json':
      return new JsonWriter(file, layout, ARRAY_SIGNS);
  }
}

/**
 * Writes all incoming records. Buffers only one batch.
 * @param onProgress called with the number of written records.
 * @returns the number of records. @throws errors from the source and from the file.
 */
export async function writeRecords<Record>(
  batches: AsyncIterable<readonly Record[]>,
  writer: RecordWriter<Record>,
  signal: AbortSignal,
  onProgress: (records: number) => void,
): Promise<number> {
  let written = 0;
  for await (const records of batches) {
    for (let start = 0; start < records.length; start += ROWS_IN_CHUNK) {
      signal.throwIfAborted();
      const chunk = records.slice(start, start + ROWS_IN_CHUNK);
      await writer.write(chunk);
      written += chunk.length;
      onProgress(written);
    }
  }
  signal.throwIfAborted();
  await writer.end(signal);
  return written;
}

/** Text before, between, and after the objects in a file, and the text for an empty file. */
export interface JsonSigns {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  readonly none: string;
}

const ARRAY_SIGNS: JsonSigns = { begin: '[\n', between: ',\n', end: '\n]\n', none: '[]\n' };
const LINE_SIGNS: JsonSigns = { begin: '', between: '\n', end: '\n', none: '' };

/** Writes records as JSON, one per line. */
class JsonWriter<Record> implements RecordWriter<Record> {
  private readonly encoder = new TextEncoder();
  private isEmpty = true;

  constructor(
    private readonly file: ExportFile,
    private readonly layout: Pick<RecordLayout<Record>, 'json'>,
    private readonly signs: JsonSigns,
  ) {}

  async write(records: readonly Record[]): Promise<void> {
    const { begin, between } = this.signs;
    await this.put(this.isEmpty ? begin : between);
    this.isEmpty = false;
    await this.file.write(this.layout.json(records, between));
  }

  async end(): Promise<void> {
    await this.put(this.isEmpty ? this.signs.none : this.signs.end);
  }

  private async put(text: string): Promise<void> {
    await this.file.write(this.encoder.encode(text));
  }
}

/**
 * Writes CSV without knowing its columns in advance. The first line contains the columns of the
 * first records. If later records add columns, copies the file once at the end, with all columns
 * and the same number of cells in every line.
 */
class CsvWriter<Record> implements RecordWriter<Record> {
  private readonly text: CsvSerializer<Record>;
  private readonly encoder = new TextEncoder();
  private readonly ranges: ColumnCountRange[] = [];
  private written = 0;

  constructor(
    private readonly file: ExportFile,
    layout: RecordLayout<Record>,
  ) {
    this.text = new CsvSerializer(layout);
  }

  async write(records: readonly Record[]): Promise<void> {
    const lines = this.text.lines(records);
    if (this.ranges.length === 0) await this.put(this.text.header());
    const { width } = this.text;
    if (this.ranges.at(-1)?.width !== width) this.ranges.push({ from: this.written, width });
    await this.put(lines);
  }

  async end(): Promise<void> {
    const [first, ...later] = this.ranges;
    if (!first) await this.put(this.text.header());
    else if (later.length > 0) await this.file.rewrite(first.from, (lines) => this.whole(lines));
  }

  private async *whole(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield this.encoder.encode(this.text.header());
    yield* padCsv(lines, this.ranges, this.text.width);
  }

  private async put(text: string): Promise<void> {
    const bytes = this.encoder.encode(text);
    this.written += bytes.length;
    await this.file.write(bytes);
  }
}

/**
 * Formats records as CSV according to RFC 4180, in UTF-8 without a byte order mark. Quotes strings,
 * but not numbers, `true`, `false`, and `null`, and leaves missing values empty, so that a reader
 * can distinguish these values. Formats objects and lists in a cell as JSON. Neutralizes formulas.
 */
class CsvSerializer<Record> {
  private readonly columns: DataColumns;
  private hasOverflow = false;

  constructor(
    private readonly layout: RecordLayout<Record>,
    maxColumns?: number,
  ) {
    this.columns = new DataColumns(layout.root, maxColumns);
  }

  /** Current number of columns. */
  get width(): number {
    return this.layout.fixed.length + this.columns.list.length + Number(this.hasOverflow);
  }

  /** Returns the names of the current columns as a file's first line. */
  header(): string {
    const names = [...this.layout.fixed, ...this.columns.list.map(({ name }) => name)];
    if (this.hasOverflow) names.push(this.layout.overflowName);
    return csvLine(names.map(guardFormula));
  }

  /** Returns the lines for records, each with a cell for every column. */
  lines(records: readonly Record[]): string {
    const rows = records.map((record) => this.row(record));
    const { width } = this;
    for (const row of rows) while (row.length < width) row.push(undefined);
    return rows.map(csvLine).join('');
  }

  private row(record: Record): CsvCell[] {
    const { fixed, fixedValues, data } = this.layout;
    const row = fixedValues(record).map(toCsvCell);
    const overflow = this.columns.read(data(record), (column, value) => {
      row[fixed.length + column] = toCsvCell(value);
    });
    if (overflow) {
      this.hasOverflow = true;
      row[fixed.length + this.columns.list.length] = formatJson(Object.fromEntries(overflow));
    }
    return row;
  }
}

function toCsvCell(value: DataValue | undefined): CsvCell {
  if (typeof value === 'string') return guardFormula(value);
  return typeof value === 'object' && value !== null ? formatPlainValue(value) : value;
}

/** A cell's value; undefined for an empty cell. */
type CsvCell = string | number | bigint | boolean | null | undefined;

const LINE_END = '\r\n';

/**
 * Formats a CSV line according to RFC 4180. Quotes strings but no other values. Exports spend most
 * of their time in this function, which takes only a third of the time of a full-featured library.
 */
function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(formatCsvCell).join(',') + LINE_END;
}

function formatCsvCell(cell: CsvCell): string {
  if (typeof cell === 'string') {
    return `"${cell.includes('"') ? cell.replaceAll('"', '""') : cell}"`;
  }
  return cell === undefined ? '' : String(cell);
}

/**
 * Range in a file, starting at an offset, whose lines have the same number of columns. Later ranges
 * have more columns.
 */
interface ColumnCountRange {
  readonly from: number;
  readonly width: number;
}

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;
const COMMA = 0x2c;

/**
 * Gives all CSV lines the same number of cells: appends empty cells to lines that were written
 * before the last column was added. Reads each byte once and buffers nothing.
 * @param content from the first byte of the first range on
 * @param ranges ranges in file order, each starting at the beginning of a line
 * @param width number of columns in each line
 */
async function* padCsv(
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

  /** Returns the positions of line ends. A line break within quotes is part of a cell. */
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

import { isJsonObject } from '../../../model/isJsonObject';
import type { FileSource } from '../fileSource';
import { detectTimeForm, type TimeForm } from './captureTime';
import { CsvColumns } from './csvLayout';
import { csvRecords } from './csvRecords';
import {
  decodeText,
  type Delimiter,
  detectDelimiter,
  ReadingsError,
  type TextEncoding,
} from './textFormat';
import { isExported, listPaths, ndjsonRow, parsed, textLines } from './ndjsonRow';
import type { ReadingsLayout, SourceRow } from './readingRow';

const HEAD_CHARACTERS = 64 * 1024;
const SAMPLED_ROWS = 100;
const TABLE = /\.(?:csv|tsv)$/i;
const LIKELY = /^(?:time|timestamp|datetime|date|ts|time_?(?:captured|requested)|\w*_at)$/i;
const POSSIBLE = /time|date/i;
const EXPORTED_TIMES: ReadonlyMap<string, TimeForm> = new Map([['time', { kind: 'iso' } as const]]);

/**
 * Opens a file of readings, which contains a table or JSON lines depending on its extension, and
 * inspects its start. Reads the file again to yield its rows.
 * @throws ReadingsError when the file can't be parsed, and errors from the file.
 */
export async function openReadings(
  source: FileSource,
  signal: AbortSignal,
): Promise<ReadingsLayout> {
  const head = await readHead(source, signal);
  if (head.text.trim() === '') throw new ReadingsError({ kind: 'empty' });
  return TABLE.test(source.path)
    ? openTable(source, head, signal)
    : openLines(source, head.encoding, signal);
}

interface Head {
  readonly text: string;
  readonly encoding: TextEncoding;
}

async function openTable(
  source: FileSource,
  { text, encoding }: Head,
  signal: AbortSignal,
): Promise<ReadingsLayout> {
  const delimiter = detectDelimiter(text);
  const columns = await readColumns(source, delimiter, signal);
  const rows = (abort: AbortSignal): AsyncGenerator<SourceRow> =>
    tableRows(source, delimiter, columns, abort);
  const head = await first(rows(signal));
  if (head.length === 0) throw new ReadingsError({ kind: 'noRows' });
  const sample = withoutProblems(head);
  return {
    format: 'csv',
    encoding,
    delimiter,
    columns: columns.names,
    rows,
    isExport: columns.exported !== undefined,
    times: columns.exported ? EXPORTED_TIMES : timesIn(columns.names, sample),
  };
}

async function openLines(
  source: FileSource,
  encoding: TextEncoding,
  signal: AbortSignal,
): Promise<ReadingsLayout> {
  const lines = (abort: AbortSignal) => textLines(decodeSource(source, abort));
  async function* rows(abort: AbortSignal): AsyncGenerator<SourceRow> {
    for await (const line of lines(abort)) yield ndjsonRow(line);
  }
  const values = (await first(lines(signal))).map(({ text }) => parsed(text));
  const objects = values.flatMap((value) =>
    !(value instanceof Error) && isJsonObject(value) ? [value] : [],
  );
  const columns = [...new Set(objects.flatMap(listPaths))];
  const isExport = objects.length > 0 && objects.every(isExported);
  const sample = withoutProblems(await first(rows(signal)));
  return {
    format: 'ndjson',
    encoding,
    columns,
    isExport,
    rows,
    times: isExport ? EXPORTED_TIMES : timesIn(columns, sample),
  };
}

async function readHead(source: FileSource, signal: AbortSignal): Promise<Head> {
  let text = '';
  let encoding: TextEncoding = 'utf-8';
  for await (const chunk of decodeText(source.read(signal))) {
    text += chunk.text;
    ({ encoding } = chunk);
    if (text.length >= HEAD_CHARACTERS) break;
  }
  return { text, encoding };
}

async function* decodeSource(source: FileSource, signal: AbortSignal): AsyncGenerator<string> {
  for await (const { text } of decodeText(source.read(signal))) yield text;
}

async function readColumns(
  source: FileSource,
  delimiter: Delimiter,
  signal: AbortSignal,
): Promise<CsvColumns> {
  const options = { delimiter, marksQuotes: false };
  for await (const record of csvRecords(decodeSource(source, signal), options)) {
    return new CsvColumns(record);
  }
  throw new ReadingsError({ kind: 'empty' });
}

async function* tableRows(
  source: FileSource,
  delimiter: Delimiter,
  columns: CsvColumns,
  signal: AbortSignal,
): AsyncGenerator<SourceRow> {
  let isHeader = true;
  const options = { delimiter, marksQuotes: columns.exported !== undefined };
  for await (const record of csvRecords(decodeSource(source, signal), options)) {
    if (!isHeader) yield columns.row(record);
    isHeader = false;
  }
}

async function first<T>(all: AsyncIterable<T>): Promise<readonly T[]> {
  const some: T[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length === SAMPLED_ROWS) break;
  }
  return some;
}

function withoutProblems(rows: readonly SourceRow[]): readonly SourceRow[] {
  return rows.filter(({ problem }) => problem === undefined);
}

/** Returns the columns that contain times, ranked by name and format. */
function timesIn(
  columns: readonly string[],
  sample: readonly SourceRow[],
): ReadonlyMap<string, TimeForm> {
  const times = columns.flatMap((column) => {
    const form = detectTimeForm(sample.map((row) => row.timeText(column)));
    return form ? [{ column, form, rank: rankTimeColumn(column, form) }] : [];
  });
  const ordered = times.toSorted((one, other) => one.rank - other.rank);
  return new Map(ordered.map(({ column, form }) => [column, form]));
}

function rankTimeColumn(column: string, form: TimeForm): number {
  const name = column.slice(column.lastIndexOf('.') + 1);
  if (LIKELY.test(name)) return 0;
  if (POSSIBLE.test(name)) return 1;
  return form.kind === 'iso' ? 2 : 3;
}

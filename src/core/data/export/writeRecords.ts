import { CsvWriter } from './csvWriter';
import type { ExportFile } from './exportFile';
import { ARRAY_SIGNS, JsonWriter, LINE_SIGNS } from './jsonWriter';
import type { RecordLayout } from './recordLayout';
import type { RecordWriter } from './recordWriter';
import type { WorkbookStrings } from './xlsx/workbookStrings';
import { XlsxWriter } from './xlsx/xlsxWriter';

/** File formats that can be written while records are still arriving. */
export type RecordFormat = 'csv' | 'ndjson' | 'json' | 'xlsx';

/** Number of rows per chunk, small enough to yield to other work between chunks. */
const ROWS_IN_CHUNK = 1_000;

/** Returns a writer for a format. @param workbook localized strings, used only in workbooks */
export function recordWriter<Record>(
  format: RecordFormat,
  file: ExportFile,
  layout: RecordLayout<Record>,
  workbook: WorkbookStrings,
): RecordWriter<Record> {
  switch (format) {
    case 'csv':
      return new CsvWriter(file, layout);
    case 'ndjson':
      return new JsonWriter(file, layout, LINE_SIGNS);
    case 'xlsx':
      return new XlsxWriter(file, layout, workbook);
    case 'json':
      return new JsonWriter(file, layout, ARRAY_SIGNS);
  }
}

/**
 * Writes all incoming records. Buffers only one batch of them.
 * @param onProgress called with the number of written records.
 * @returns the number of records. @throws errors of the source and of the file.
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

import type { Reading } from '../../model/reading';
import type { ReadingsStore } from '../../stores/readingsStore';
import { CsvWriter } from './csvWriter';
import type { ExportFile } from './exportFile';
import { ARRAY_SIGNS, JsonWriter, LINE_SIGNS } from './jsonWriter';
import { type PagesRequest, readingPages } from './readingPages';

export type ReadingsFormat = 'csv' | 'ndjson' | 'json';

/** Few enough that others get a turn in between. */
const ROWS_IN_CHUNK = 1_000;

export interface ReadingsExport extends PagesRequest {
  readonly format: ReadingsFormat;
  readonly file: ExportFile;
  /** Hears how many rows are written of how many that the filter selects. */
  readonly onProgress: (rows: number, of: number) => void;
}

/**
 * Writes all readings that a filter selects to a file, with memory for no more than two pages of them.
 * @returns how many rows it has. @throws FleetError, and what the file throws.
 */
export async function exportReadings(
  store: Pick<ReadingsStore, 'page'>,
  { format, file, onProgress, ...request }: ReadingsExport,
): Promise<number> {
  const writer = WRITERS[format](file);
  let rows = 0;
  for await (const { readings, count } of readingPages(store, request)) {
    for (let start = 0; start < readings.length; start += ROWS_IN_CHUNK) {
      request.signal.throwIfAborted();
      const chunk = readings.slice(start, start + ROWS_IN_CHUNK);
      await writer.write(chunk);
      rows += chunk.length;
      // Readings that have come since are counted and may be among them, or not.
      onProgress(rows, Math.max(count, rows));
    }
  }
  await writer.end();
  return rows;
}

interface RowsWriter {
  write(readings: readonly Reading[]): Promise<void>;
  /** Nothing is written any more. */
  end(): Promise<void>;
}

const WRITERS: Readonly<Record<ReadingsFormat, (file: ExportFile) => RowsWriter>> = {
  csv: (file) => new CsvWriter(file),
  ndjson: (file) => new JsonWriter(file, LINE_SIGNS),
  json: (file) => new JsonWriter(file, ARRAY_SIGNS),
};

import type { Reading } from '../../model/reading';
import type { ReadingsStore } from '../../stores/readingsStore';
import type { ExportFile } from './exportFile';
import { readingLayout } from './readingLayout';
import { type PagesRequest, readingPages } from './readingPages';
import { type RecordFormat, recordWriter, writeRecords } from './writeRecords';
import type { WorkbookStrings } from './xlsx/workbookStrings';

export interface ReadingsExport extends PagesRequest {
  readonly format: RecordFormat;
  readonly file: ExportFile;
  /** Localized strings of a workbook. */
  readonly workbook: WorkbookStrings;
  /** Called with the number of written rows and the number of matches. */
  readonly onProgress: (rows: number, of: number) => void;
}

/**
 * Writes all readings that match a filter to a file. Buffers at most two pages of them.
 * @returns the number of rows. @throws FleetError, and errors of the file.
 */
export function exportReadings(
  store: Pick<ReadingsStore, 'page'>,
  { format, file, workbook, onProgress, ...request }: ReadingsExport,
): Promise<number> {
  let selected = 0;
  const batches = async function* (): AsyncGenerator<readonly Reading[]> {
    for await (const { readings, count } of readingPages(store, request)) {
      selected = count;
      yield readings;
    }
  };
  const writer = recordWriter(format, file, readingLayout, workbook);
  return writeRecords(batches(), writer, request.signal, (rows) => {
    // Readings that arrive during the export are counted but might be missing from the file.
    onProgress(rows, Math.max(selected, rows));
  });
}

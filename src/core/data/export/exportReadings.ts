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
  /** The texts of a workbook. */
  readonly workbook: WorkbookStrings;
  /** Hears how many rows are written of how many that the filter selects. */
  readonly onProgress: (rows: number, of: number) => void;
}

/**
 * Writes all readings that a filter selects to a file, with memory for no more than two pages of them.
 * @returns how many rows it has. @throws FleetError, and what the file throws.
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
    // Readings that have come since are counted and may be among them, or not.
    onProgress(rows, Math.max(selected, rows));
  });
}

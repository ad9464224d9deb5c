import { Buffer } from 'node:buffer';
import type { ExportFile } from '../../data/export/recordWriter';
import { type RecordFormat, recordWriter, writeRecords } from '../../data/export/writeRecords';
import type { WorkbookStrings } from '../../data/export/xlsx/sheetCell';
import { checkRowCount } from '../../data/export/xlsx/xlsxWriter';
import type { QueryRun } from '../queryRun';
import { ResultTable } from '../results/resultTable';
import type { SpoolFactory } from '../results/rowStore';
import { resultLayout, type ResultRow } from './resultRow';

export type ResultFormat = RecordFormat | 'parquet';

/** Query whose rows are exported, with its cached rows if there are some. */
export type ExportedQuery = Pick<QueryRun, 'query' | 'source'> &
  Partial<Pick<QueryRun, 'status' | 'table'>>;

export interface ResultExport {
  readonly format: ResultFormat;
  readonly file: ExportFile;
  /** Localized strings of a workbook; only needed for workbooks. */
  readonly workbook?: WorkbookStrings;
  /**
   * Temporary storage for rows. Needed because all columns must be known before the first row is
   * written.
   */
  readonly spools: SpoolFactory;
  readonly signal: AbortSignal;
  /** Called with the number of finished rows and with the total if it is known. */
  readonly onProgress: (rows: number, of: number | undefined) => void;
}

/**
 * Writes all rows from a query to a file. For rows that are not cached, runs the query again.
 * Buffers only one batch at a time.
 * @returns the number of rows in the file. @throws FleetError, and errors from writing the file.
 */
export async function exportResult(run: ExportedQuery, options: ResultExport): Promise<number> {
  return options.format === 'parquet'
    ? exportParquet(run, options)
    : exportRecords(run, options, options.format);
}

async function exportRecords(
  run: ExportedQuery,
  { file, workbook, signal, onProgress }: ResultExport,
  format: RecordFormat,
): Promise<number> {
  const table = getCompleteTable(run);
  const total = table?.store.count;
  const batches = table ? readStoredRows(table, signal) : requestRows(run, signal);
  if (format === 'xlsx' && total !== undefined) checkRowCount(total);
  const writer = recordWriter(format, file, resultLayout, workbook);
  return writeRecords(batches, writer, signal, (rows) => onProgress(rows, total));
}

/** Returns the cached rows; undefined unless they are all rows. */
function getCompleteTable({ status, table }: ExportedQuery): ResultTable | undefined {
  return status?.state === 'complete' ? table : undefined;
}

async function exportParquet(run: ExportedQuery, options: ResultExport): Promise<number> {
  const { writeParquet } = await import('./writeParquet');
  const complete = getCompleteTable(run);
  if (complete) return writeParquet(complete, options);
  const { spools, signal, onProgress } = options;
  const table = new ResultTable(spools);
  try {
    for await (const rows of run.source.run(run.query, signal)) {
      await table.add(rows);
      onProgress(table.store.count, undefined);
    }
    return await writeParquet(table, options);
  } finally {
    table.dispose();
  }
}

async function* readStoredRows(
  table: ResultTable,
  signal: AbortSignal,
): AsyncGenerator<readonly ResultRow[]> {
  for await (const { bytes, starts } of table.store.readChunks(0, undefined, signal)) {
    yield starts.map((start) => ({ bytes, start }));
  }
}

async function* requestRows(
  { source, query }: ExportedQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly ResultRow[]> {
  for await (const rows of source.run(query, signal)) {
    yield rows.map(({ buffer, byteOffset, byteLength }) => ({
      bytes: Buffer.from(buffer, byteOffset, byteLength),
      start: 0,
    }));
  }
}

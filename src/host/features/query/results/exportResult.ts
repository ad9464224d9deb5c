import * as vscode from 'vscode';
import { exportResult, type ResultFormat } from '../../../../core/query/export/exportResult';
import type { QueryRun } from '../../../../core/query/queryRun';
import type { SpoolFactory } from '../../../../core/query/results/rowStore';
import {
  csvFormat,
  exportToFile,
  type FileExport,
  type FileFormat,
  fileFormat,
  xlsxFormat,
} from '../../../platform/files/exportToFile';
import { formatNumber } from '../../../platform/text/displayText';
import { workbookStrings } from '../../../platform/text/tableStrings';

/** Reasons why rows are not shown. */
export interface HiddenRows {
  readonly isFiltered: boolean;
  readonly isSearched: boolean;
}

/**
 * Exports all of a query's rows, regardless of filters, to a file that the user selects.
 * @throws FleetError
 */
export function promptAndExportResult(
  run: QueryRun,
  spools: SpoolFactory,
  shown: HiddenRows,
): Promise<void> {
  return exportToFile({
    title: vscode.l10n.t('Export Result'),
    placeholder: describeExportedRows(run, shown),
    formats: formats(),
    name: 'result',
    write: (format, file, signal, report) =>
      exportResult(run, {
        format,
        file,
        spools,
        signal,
        workbook: workbookStrings(),
        onProgress: (rows, of) => report(formatProgress(rows, of)),
      }),
    messages: getExportMessages(),
  });
}

function describeExportedRows(run: QueryRun, { isFiltered, isSearched }: HiddenRows): string {
  const { state, rows } = run.status;
  if (isFiltered) {
    return state === 'complete'
      ? vscode.l10n.t('All {0} query rows, including rows hidden by the filter', formatNumber(rows))
      : vscode.l10n.t('All query rows, including rows hidden by the filter (runs the query again)');
  }
  if (isSearched) {
    return state === 'complete'
      ? vscode.l10n.t(
          "All {0} query rows, including rows that don't match the search",
          formatNumber(rows),
        )
      : vscode.l10n.t(
          "All query rows, including rows that don't match the search (runs the query again)",
        );
  }
  if (state !== 'complete') return vscode.l10n.t('All query rows (runs the query again)');
  return rows === 1
    ? vscode.l10n.t('Showing the only row the query returned')
    : vscode.l10n.t('All {0} query rows', formatNumber(rows));
}

function formatProgress(rows: number, of: number | undefined): string {
  return of === undefined
    ? vscode.l10n.t('{0} rows', formatNumber(rows))
    : vscode.l10n.t('{0} of {1}', formatNumber(rows), formatNumber(of));
}

function formats(): readonly FileFormat<ResultFormat>[] {
  return [
    csvFormat(),
    xlsxFormat(),
    fileFormat('ndjson', 'NDJSON', vscode.l10n.t('One JSON object for each row')),
    fileFormat('json', 'JSON', vscode.l10n.t('One JSON array of all rows')),
    fileFormat(
      'parquet',
      'Parquet',
      vscode.l10n.t('One typed column for each value, for data analysis programs'),
    ),
  ];
}

function getExportMessages(): FileExport<ResultFormat>['messages'] {
  return {
    elsewhere: vscode.l10n.t('Results can only be saved on this computer. Select a local file.'),
    failed: (file, reason) =>
      vscode.l10n.t('Couldn\'t write the result to "{0}". {1}', file, reason),
    done: (file, rows) =>
      rows === 1
        ? vscode.l10n.t('Exported 1 row to {0}.', file)
        : vscode.l10n.t('Exported {0} rows to {1}.', formatNumber(rows), file),
  };
}

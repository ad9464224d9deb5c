import * as vscode from 'vscode';
import { systemSleep } from '../../../../base/clock';
import { exportReadings } from '../../../../core/data/export/exportReadings';
import type { RecordFormat } from '../../../../core/data/export/writeRecords';
import type { CaptureFilter } from '../../../../core/model/captureFilter';
import type { ReadingsStore } from '../../../../core/stores/readingsStore';
import { exportToFile, type FileExport } from '../../../platform/exportToFile';
import { csvFormat, type FileFormat, fileFormat, xlsxFormat } from '../../../platform/fileFormat';
import { formatNumber } from '../../../platform/quantityText';
import { workbookStrings } from '../../../platform/workbookStrings';

/** Readings to export: all matches of a filter. */
export interface ExportedReadings {
  readonly store: Pick<ReadingsStore, 'count' | 'page'>;
  readonly filter: CaptureFilter;
}

/** Exports all readings that match a filter to a file that the user selects. @throws FleetError */
export async function promptAndExport({ store, filter }: ExportedReadings): Promise<void> {
  const count = await store.count(filter);
  if (count === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No readings match the filter.'));
    return;
  }
  await exportToFile({
    title: vscode.l10n.t('Export Readings'),
    placeholder:
      count === 1
        ? vscode.l10n.t('1 reading (all that match the filter)')
        : vscode.l10n.t('{0} readings: all that match the filter', formatNumber(count)),
    formats: formats(),
    name: 'readings',
    write: (format, file, signal, report) =>
      exportReadings(store, {
        ...{ filter, order: 'oldestFirst', format, file, signal, sleep: systemSleep },
        workbook: workbookStrings(),
        onWaiting: ({ message }) => report(vscode.l10n.t('Trying again. {0}', message)),
        onProgress: (done, of) =>
          report(vscode.l10n.t('{0} of {1}', formatNumber(done), formatNumber(of))),
      }),
    messages: getExportMessages(),
  });
}

function formats(): readonly FileFormat<RecordFormat>[] {
  return [
    csvFormat(),
    xlsxFormat(),
    fileFormat('ndjson', 'NDJSON', vscode.l10n.t('One JSON object for each reading as captured')),
    fileFormat('json', 'JSON', vscode.l10n.t('One JSON array of all readings as captured')),
  ];
}

function getExportMessages(): FileExport<RecordFormat>['messages'] {
  return {
    elsewhere: vscode.l10n.t('Readings can only be saved on this computer. Select a local file.'),
    failed: (file, reason) =>
      vscode.l10n.t('Couldn\'t write the readings to "{0}". {1}', file, reason),
    done: (file, rows) =>
      rows === 1
        ? vscode.l10n.t('Exported 1 reading to {0}.', file)
        : vscode.l10n.t('Exported {0} readings to {1}.', formatNumber(rows), file),
  };
}

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { systemSleep } from '../../../../base/clock';
import { cancelled, FleetError, isCancelled, toFleetError } from '../../../../core/api/errors';
import { exportReadings, type ReadingsFormat } from '../../../../core/data/export/exportReadings';
import type { CaptureFilter } from '../../../../core/model/captureFilter';
import type { ReadingsStore } from '../../../../core/stores/readingsStore';
import { following } from '../../../platform/progress';
import { askOne } from '../../../platform/prompts';
import { numberText } from '../../../platform/quantityText';
import { PartialFile } from '../../../platform/partialFile';

/** What is exported: all that a filter selects. */
export interface ExportedReadings {
  readonly store: Pick<ReadingsStore, 'count' | 'page'>;
  readonly filter: CaptureFilter;
}

interface Format extends vscode.QuickPickItem {
  readonly format: ReadingsFormat;
}

const TELL_EVERY_MS = 200;

/** Writes all readings that a filter selects to a file of the person's choice. @throws FleetError */
export async function askAndExport(exported: ExportedReadings): Promise<void> {
  const title = vscode.l10n.t('Export Readings');
  const count = await exported.store.count(exported.filter);
  if (count === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No readings match the filter.'));
    return;
  }
  const placeholder =
    count === 1
      ? vscode.l10n.t('1 reading: all that match the filter')
      : vscode.l10n.t('{0} readings: all that match the filter', numberText(count));
  const format = await askOne(formats(), { title, placeholder });
  const target = await askTarget(title, format);
  if (!target) return;
  const rows = await following(
    vscode.l10n.t('Exporting to {0}', baseName(target)),
    (signal, report) => writeTo(target, { ...exported, format: format.format }, signal, report),
  );
  await offerToOpen(target, rows);
}

function formats(): readonly Format[] {
  return [
    {
      format: 'csv',
      label: 'CSV',
      description: '.csv',
      detail: vscode.l10n.t(
        'A column for each value. Texts that a spreadsheet would run as formulas begin with an apostrophe.',
      ),
    },
    {
      format: 'ndjson',
      label: 'NDJSON',
      description: '.ndjson',
      detail: vscode.l10n.t('One JSON object for each reading, as it was captured'),
    },
    {
      format: 'json',
      label: 'JSON',
      description: '.json',
      detail: vscode.l10n.t('One JSON list of all readings, as they were captured'),
    },
  ];
}

async function askTarget(
  title: string,
  { label, format }: Format,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    title,
    filters: { [label]: [format] },
    defaultUri: vscode.Uri.joinPath(folder, `readings.${format}`),
  });
  if (!target || target.scheme === 'file') return target;
  const message = vscode.l10n.t(
    'Readings are written to a disk of this machine. Choose a file there.',
  );
  throw new FleetError('unsupported', message);
}

/** @returns how many rows are in the file. */
async function writeTo(
  target: vscode.Uri,
  { store, filter, format }: ExportedReadings & { readonly format: ReadingsFormat },
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<number> {
  const file = await opened(target);
  let told = 0;
  try {
    const rows = await exportReadings(store, {
      ...{ filter, order: 'oldestFirst', format, file, signal, sleep: systemSleep },
      onWaiting: ({ message }) => report(vscode.l10n.t('Trying again. {0}', message)),
      onProgress: (done, of) => {
        const now = performance.now();
        if (now - told < TELL_EVERY_MS) return;
        told = now;
        report(vscode.l10n.t('{0} of {1}', numberText(done), numberText(of)));
      },
    });
    await file.finish();
    return rows;
  } catch (error) {
    await file.discard();
    if (signal.aborted || isCancelled(error)) throw cancelled();
    throw failure(target, error);
  }
}

async function opened(target: vscode.Uri): Promise<PartialFile> {
  try {
    return await PartialFile.create(target.fsPath);
  } catch (error) {
    throw failure(target, error);
  }
}

function failure(target: vscode.Uri, cause: unknown): FleetError {
  const { kind, message: reason, action } = toFleetError(cause);
  const message = vscode.l10n.t(
    'The readings could not be written to "{0}". {1}',
    baseName(target),
    reason,
  );
  return new FleetError(kind, message, { cause, action });
}

async function offerToOpen(target: vscode.Uri, rows: number): Promise<void> {
  const open = vscode.l10n.t('Open');
  const message =
    rows === 1
      ? vscode.l10n.t('Exported 1 reading to {0}.', baseName(target))
      : vscode.l10n.t('Exported {0} readings to {1}.', numberText(rows), baseName(target));
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  await vscode.commands.executeCommand('vscode.open', target);
}

function baseName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { getErrorCode } from '../../../base/errorCode';
import { abandonAfterAbort } from '../../../base/abandonAfterAbort';
import { systemSleep } from '../../../base/clock';
import { canceled, FleetError, isCanceled, toFleetError } from '../../../core/api/errors';
import type { ExportFile } from '../../../core/data/export/recordWriter';
import { PartialFile } from '../../../files/partialFile';
import { trackProgress } from '../commands/progress';
import { pickOne } from '../prompts/prompts';
import { getFileName } from '../documents/documentUris';
import { SheetLimitError } from '../../../core/data/export/xlsx/xlsxWriter';

/** Export to a file that the user selects. */
export interface FileExport<Format extends string> {
  readonly title: string;
  /** Description of the data, displayed in the format picker. */
  readonly placeholder: string;
  readonly formats: readonly FileFormat<Format>[];
  /** File name without its extension. */
  readonly name: string;
  /**
   * Writes the file.
   * @returns the number of rows in the file.
   */
  readonly write: (
    format: Format,
    file: ExportFile,
    signal: AbortSignal,
    report: (message: string) => void,
  ) => Promise<number>;
  readonly messages: {
    /** Message to show if the user selects a location that isn't on a local disk. */
    readonly elsewhere: string;
    readonly failed: (file: string, reason: string) => string;
    readonly done: (file: string, rows: number) => string;
  };
}

/** Interval in milliseconds between two progress messages. */
const PROGRESS_INTERVAL_MS = 200;

/**
 * Prompts for a format and a file, writes the file, and offers to open it.
 * @throws FleetError
 */
export async function exportToFile<Format extends string>(
  exported: FileExport<Format>,
): Promise<void> {
  const { title, placeholder, messages } = exported;
  const chosen = await pickOne(exported.formats, { title, placeholder });
  const target = await pickExportTarget(exported, chosen);
  if (!target) return;
  const rows = await trackProgress(
    vscode.l10n.t('Exporting to {0}', getFileName(target)),
    async (signal, report) => {
      const work = writeTo(target, exported, chosen.format, signal, throttle(report));
      return abandonAfterAbort(work, { signal, sleep: systemSleep });
    },
  );
  await offerToOpen(target, messages.done(getFileName(target), rows));
}

async function pickExportTarget<Format extends string>(
  { title, name, messages }: FileExport<Format>,
  { label, format }: FileFormat<Format>,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    title,
    filters: { [label]: [format] },
    defaultUri: vscode.Uri.joinPath(folder, `${name}.${format}`),
  });
  if (!target || target.scheme === 'file') return target;
  throw new FleetError('unsupported', messages.elsewhere);
}

async function writeTo<Format extends string>(
  target: vscode.Uri,
  { write, messages }: FileExport<Format>,
  format: Format,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<number> {
  const failure = (cause: unknown): FleetError => {
    const { kind, action } = toFleetError(cause);
    const message = messages.failed(getFileName(target), describeFileError(cause));
    return new FleetError(kind, message, { cause, action });
  };
  const file = await PartialFile.create(target.fsPath).catch((error: unknown) => {
    throw failure(error);
  });
  try {
    const rows = await write(format, file, signal, report);
    await file.finish();
    return rows;
  } catch (error) {
    await file.discard();
    if (signal.aborted || isCanceled(error)) throw canceled();
    throw failure(error);
  }
}

/** Throttles progress to a few messages per second. */
function throttle(report: (message: string) => void): (message: string) => void {
  let reportedAt = -Infinity;
  return (message) => {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = now;
    report(message);
  };
}

/** Returns the user-facing reason why a file on this computer couldn't be written. */
export function describeFileError(error: unknown): string {
  if (error instanceof SheetLimitError) return describeSheetLimit(error);
  switch (getErrorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return vscode.l10n.t('The disk is full. Free up space, then try again.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return vscode.l10n.t("The folder isn't writable. Select another folder.");
    case 'ENOENT':
    case 'ENOTDIR':
      return vscode.l10n.t(
        "The folder doesn't exist or can't contain files. Select another folder.",
      );
    case 'EISDIR':
      return vscode.l10n.t('A folder with this name already exists. Enter another name.');
    default:
      return toFleetError(error).message;
  }
}

function describeSheetLimit({ limit }: SheetLimitError): string {
  return limit === 'rows'
    ? vscode.l10n.t(
        'An Excel sheet can contain at most 1,048,575 rows plus a header row. Use CSV or another format, or query fewer rows.',
      )
    : vscode.l10n.t(
        'The result is too large for an Excel sheet. Use CSV or another format, or query fewer columns.',
      );
}

/** Format for exported files. */
export interface FileFormat<Format extends string> extends vscode.QuickPickItem {
  /** Format, which is also the file extension. */
  readonly format: Format;
}

/**
 * @param detail one-line description; a Quick Pick truncates details longer than about 80
 *   characters
 */
export function fileFormat<Format extends string>(
  format: Format,
  label: string,
  detail: string,
): FileFormat<Format> {
  return { format, label, description: `.${format}`, detail };
}

/** Returns the format for Excel workbooks. */
export function xlsxFormat(): FileFormat<'xlsx'> {
  const detail = vscode.l10n.t(
    'Up to 1,048,575 rows. Values that Excel would round are stored as text.',
  );
  return fileFormat('xlsx', 'Excel', detail);
}

/** Returns the format for spreadsheets. */
export function csvFormat(): FileFormat<'csv'> {
  const detail = vscode.l10n.t(
    'Opens in any spreadsheet. An apostrophe prevents text from running as formulas.',
  );
  return fileFormat('csv', 'CSV', detail);
}

/** Reports that a file was written and offers to open it. */
export async function offerToOpen(target: vscode.Uri, message: string): Promise<void> {
  const open = vscode.l10n.t('Open');
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  await vscode.commands.executeCommand('vscode.open', target);
}

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { FleetError, isCanceled, toFleetError } from '../../../core/api/errors';
import { countLines, type LogItem } from '../../../core/logs/logItem';
import { reading } from '../../platform/commands/progress';
import { pickOne } from '../../platform/prompts/prompts';
import { formatNumber } from '../../platform/text/displayText';
import { lineChunks, writeChunks } from './lineChunks';
import {
  type FormatItem,
  formatNdjsonItem,
  formatNewest,
  formatPlainItem,
  itemsBetween,
  type LineLabels,
  type ExportedTail,
  type TextLimits,
} from './lineText';
import { getFileName } from '../../platform/documents/documentUris';
import { offerToOpen } from '../../platform/files/exportToFile';
import { showStatusMessage } from '../../platform/commands/statusMessage';

/** A panel's lines to export or copy. */
export interface PanelLines {
  /** All lines that pass the filter, oldest first. */
  readonly items: readonly LogItem[];
  readonly labels: LineLabels;
  /** Prefix of the file name. */
  readonly name: string;
}

interface Format extends vscode.QuickPickItem {
  readonly extension: string;
  readonly formatItem: FormatItem;
}

/**
 * Writes lines to a file that the user selects, and shows progress.
 * @throws FleetError
 */
export async function exportLines({ items, labels, name }: PanelLines): Promise<void> {
  const title = vscode.l10n.t('Export Lines');
  const placeholder = vscode.l10n.t(
    '{0} lines: all lines in memory that match the filter',
    formatNumber(countLines(items)),
  );
  const format = await pickOne(formats(), { title, placeholder });
  const target = await pickExportTarget(title, `${name}.${format.extension}`, format);
  if (!target) return;
  await reading(vscode.l10n.t('Exporting to {0}', getFileName(target)), async (signal, report) => {
    const chunks = lineChunks(items, format.formatItem, labels, (done) =>
      report(done, items.length),
    );
    try {
      await write(target, chunks, signal);
    } catch (error) {
      throw isCanceled(error) ? error : writeFailure(target, error);
    }
  });
  await offerToOpen(target, describeExport(items, target));
}

function formats(): readonly Format[] {
  return [
    {
      label: vscode.l10n.t('Text'),
      description: '.log',
      detail: vscode.l10n.t('Time, level, part, logger, message, and fields, in log file format'),
      extension: 'log',
      formatItem: formatPlainItem,
    },
    {
      label: 'NDJSON',
      description: '.ndjson',
      detail: vscode.l10n.t('One JSON object per line, with all known details'),
      extension: 'ndjson',
      formatItem: formatNdjsonItem,
    },
  ];
}

async function pickExportTarget(
  title: string,
  name: string,
  { label, extension }: Format,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    title,
    filters: { [label]: [extension] },
    defaultUri: vscode.Uri.joinPath(folder, name),
  });
}

/**
 * Writes a file in chunks on this computer. Other file systems can write a file only as a whole.
 */
async function write(
  target: vscode.Uri,
  chunks: Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  if (target.scheme === 'file') {
    await writeChunks(target.fsPath, chunks, signal);
    return;
  }
  const bytes = Buffer.concat(Array.from(chunks, (chunk) => Buffer.from(chunk)));
  await vscode.workspace.fs.writeFile(target, bytes);
}

function writeFailure(target: vscode.Uri, cause: unknown): FleetError {
  const message = vscode.l10n.t(
    'Couldn\'t write the lines to "{0}". {1}',
    getFileName(target),
    toFleetError(cause).message,
  );
  return new FleetError('unavailable', message, { cause });
}

function describeExport(items: readonly LogItem[], target: vscode.Uri): string {
  const lines = countLines(items);
  const gaps = items.filter((item) => item.kind === 'gap' && item.state !== 'filled').length;
  const done =
    lines === 1
      ? vscode.l10n.t('Exported 1 line to {0}.', getFileName(target))
      : vscode.l10n.t('Exported {0} lines to {1}.', formatNumber(lines), getFileName(target));
  if (gaps === 0) return done;
  const missing =
    gaps === 1
      ? vscode.l10n.t('Lines are missing in one range.')
      : vscode.l10n.t('Lines are missing in {0} ranges.', formatNumber(gaps));
  return `${done} ${missing}`;
}

/** Limits for copied text, which other programs must be able to paste without delay. */
const CLIPBOARD: TextLimits = { lines: 20_000, characters: 5_000_000 };
/** Limits for opened text, which VS Code must be able to open without delay and highlight. */
const DOCUMENT: TextLimits = { lines: 200_000, characters: 10_000_000 };

/** Range of rows, identified by their keys. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Copies the lines in a range, or all lines, as text. */
export async function copyLines(lines: PanelLines, range: RowRange | undefined): Promise<void> {
  const items = range ? itemsBetween(lines.items, range.from, range.to) : lines.items;
  if (items.length === 0) {
    const message = range
      ? vscode.l10n.t('These lines are no longer in memory.')
      : vscode.l10n.t('There are no lines to copy.');
    throw new FleetError('notFound', message);
  }
  const copied = formatNewest(items, lines.labels, CLIPBOARD);
  await vscode.env.clipboard.writeText(copied.text);
  if (copied.lines < copied.of) {
    await offerExport(
      { ...lines, items },
      vscode.l10n.t(
        'Copied the newest {0} of {1} lines. Export the log to get all of them.',
        ...formatCounts(copied),
      ),
    );
    return;
  }
  showStatusMessage(
    copied.lines === 1
      ? vscode.l10n.t('Copied 1 line')
      : vscode.l10n.t('Copied {0} lines', formatNumber(copied.lines)),
  );
}

/** Opens lines as a new unsaved document. */
export async function openLines(lines: PanelLines): Promise<void> {
  const opened = formatNewest(lines.items, lines.labels, DOCUMENT);
  const document = await vscode.workspace.openTextDocument({
    language: 'log',
    content: opened.text,
  });
  await vscode.window.showTextDocument(document, { preview: false });
  if (opened.lines === opened.of) return;
  const message = vscode.l10n.t(
    'The document contains the newest {0} of {1} lines. To get all lines, export the log.',
    ...formatCounts(opened),
  );
  await offerExport(lines, message);
}

async function offerExport(lines: PanelLines, message: string): Promise<void> {
  const write = vscode.l10n.t('Export…');
  if ((await vscode.window.showWarningMessage(message, write)) === write) await exportLines(lines);
}

function formatCounts({ lines, of }: ExportedTail): [string, string] {
  return [formatNumber(lines), formatNumber(of)];
}

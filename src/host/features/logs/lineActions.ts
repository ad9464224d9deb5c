import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { formatNumber } from '../../platform/quantityText';
import { showStatusMessage } from '../../platform/statusMessage';
import { exportLines, type PanelLines } from './exportLines';
import { itemsBetween, type LogTail, formatNewest, type TextLimits } from './formatNewest';

/** Limits for copied text, which other programs must be able to paste without delay. */
const CLIPBOARD: TextLimits = { lines: 20_000, characters: 5_000_000 };
/** Limits for opened text, which VS Code must be able to open without delay and highlight. */
const DOCUMENT: TextLimits = { lines: 200_000, characters: 10_000_000 };

/** Range of rows, identified by their keys. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Copies the lines of a range, or all lines, as text. */
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

function formatCounts({ lines, of }: LogTail): [string, string] {
  return [formatNumber(lines), formatNumber(of)];
}

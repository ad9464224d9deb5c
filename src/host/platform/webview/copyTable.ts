import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import {
  type CopiedColumn,
  type CopyFormat,
  type CopyLimits,
  copyRows,
} from '../../../core/data/tables/copyRows';
import { formatNumber } from '../text/displayText';
import { showStatusMessage } from '../commands/statusMessage';

/** Limits for copied rows, which other programs must be able to paste without delay. */
export const CLIPBOARD: CopyLimits = { rows: 20_000, characters: 5_000_000 };

/** Table rows to copy to the clipboard. */
export interface CopiedTable<Row> {
  /** Rows to copy, up to the clipboard limit. */
  readonly rows: readonly Row[];
  /** Number of requested rows. */
  readonly requestedRows: number;
  readonly columns: readonly CopiedColumn<Row>[];
  readonly format: CopyFormat;
}

/** Copies the full text of a cell or row. */
export async function copyCell(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatusMessage(vscode.l10n.t('Copied'));
}

/**
 * Copies rows with their column names. If the limit is exceeded, copies only the first rows.
 * @throws `notFound` if there are no rows.
 */
export async function copyTable<Row>(
  { rows, requestedRows, columns, format }: CopiedTable<Row>,
  exportAll: () => Promise<void>,
): Promise<void> {
  if (rows.length === 0) {
    throw new FleetError('notFound', vscode.l10n.t('There are no rows to copy.'));
  }
  const copied = copyRows(rows, columns, format, CLIPBOARD);
  await vscode.env.clipboard.writeText(copied.text);
  if (copied.rows === requestedRows) {
    showStatusMessage(
      copied.rows === 1
        ? vscode.l10n.t('Copied 1 row')
        : vscode.l10n.t('Copied {0} rows', formatNumber(copied.rows)),
    );
    return;
  }
  const write = vscode.l10n.t('Export…');
  const message = vscode.l10n.t(
    'Copied the first {0} of {1} rows. To get all rows, export the results.',
    formatNumber(copied.rows),
    formatNumber(requestedRows),
  );
  if ((await vscode.window.showWarningMessage(message, write)) === write) await exportAll();
}

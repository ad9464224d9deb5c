import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';
import {
  type CopiedColumn,
  type CopyFormat,
  type CopyLimits,
  copyRows,
} from '../../core/data/tables/copyRows';
import { numberText } from './quantityText';
import { showStatusMessage } from './statusMessage';

/** What a program takes from the clipboard without a pause. */
export const CLIPBOARD: CopyLimits = { rows: 20_000, characters: 5_000_000 };

/** Rows of a table that a person wants in the clipboard. */
export interface CopiedTable<Row> {
  /** No more than the clipboard takes are needed. */
  readonly rows: readonly Row[];
  /** How many are wanted. */
  readonly wanted: number;
  readonly columns: readonly CopiedColumn<Row>[];
  readonly format: CopyFormat;
}

/** Copies the whole text of a cell or a row. */
export async function copyCell(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatusMessage(vscode.l10n.t('Copied'));
}

/**
 * Copies rows with the names of their columns; when they are too many, the first of them.
 * @throws `notFound` when there are none.
 */
export async function copyTable<Row>(
  { rows, wanted, columns, format }: CopiedTable<Row>,
  exportAll: () => Promise<void>,
): Promise<void> {
  if (rows.length === 0) {
    throw new FleetError('notFound', vscode.l10n.t('There are no rows to copy.'));
  }
  const copied = copyRows(rows, columns, format, CLIPBOARD);
  await vscode.env.clipboard.writeText(copied.text);
  if (copied.rows === wanted) {
    showStatusMessage(
      copied.rows === 1
        ? vscode.l10n.t('Copied 1 row')
        : vscode.l10n.t('Copied {0} rows', numberText(copied.rows)),
    );
    return;
  }
  const write = vscode.l10n.t('Export…');
  const message = vscode.l10n.t(
    'Copied the first {0} of {1} rows. Use an export to get all of them.',
    numberText(copied.rows),
    numberText(wanted),
  );
  if ((await vscode.window.showWarningMessage(message, write)) === write) await exportAll();
}

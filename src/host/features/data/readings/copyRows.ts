import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { copyReadings, type CopyLimits } from '../../../../core/data/readings/copyReadings';
import type { CopyRows } from '../../../../shared/data/readings';
import { numberText } from '../../../platform/quantityText';
import { showStatusMessage } from '../../../platform/statusMessage';
import type { ReadingListings } from './readingListings';

/** What a program takes from the clipboard without a pause. */
const CLIPBOARD: CopyLimits = { rows: 20_000, characters: 5_000_000 };

/** Copies the whole text of a cell or a row. */
export async function copyCell(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatusMessage(vscode.l10n.t('Copied'));
}

/** Copies rows with the names of their columns; when they are too many, the first of them. */
export async function copyRows(
  { start, end, columns: ids, format, ...view }: CopyRows,
  listings: ReadingListings,
  exportAll: () => Promise<void>,
): Promise<void> {
  const rows = listings.rows(view, start, end);
  if (rows.length === 0) {
    throw new FleetError('notFound', vscode.l10n.t('There are no rows to copy.'));
  }
  const columns = ids.map((id) => listings.column(view, id));
  const copied = copyReadings(rows, columns, format, CLIPBOARD);
  await vscode.env.clipboard.writeText(copied.text);
  if (copied.rows === rows.length) {
    showStatusMessage(
      copied.rows === 1
        ? vscode.l10n.t('Copied 1 row')
        : vscode.l10n.t('Copied {0} rows', numberText(copied.rows)),
    );
    return;
  }
  const write = vscode.l10n.t('Export…');
  const message = vscode.l10n.t(
    'Copied the first {0} of {1} rows. An export has all that match the filter.',
    numberText(copied.rows),
    numberText(rows.length),
  );
  if ((await vscode.window.showWarningMessage(message, write)) === write) await exportAll();
}

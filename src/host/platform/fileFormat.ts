import * as vscode from 'vscode';

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

import * as vscode from 'vscode';

/** A form that exported files can have. */
export interface FileFormat<Format extends string> extends vscode.QuickPickItem {
  /** Also the ending of the file's name. */
  readonly format: Format;
}

/** @param detail one line: a Quick Pick cuts off what is longer than about 80 characters */
export function fileFormat<Format extends string>(
  format: Format,
  label: string,
  detail: string,
): FileFormat<Format> {
  return { format, label, description: `.${format}`, detail };
}

/** A workbook for Excel. */
export function xlsxFormat(): FileFormat<'xlsx'> {
  const detail = vscode.l10n.t(
    'Up to 1,048,575 rows. Values that Excel would round are stored as text.',
  );
  return fileFormat('xlsx', 'Excel', detail);
}

/** The form that spreadsheets read. */
export function csvFormat(): FileFormat<'csv'> {
  const detail = vscode.l10n.t(
    'Opens in any spreadsheet. An apostrophe prevents text from running as formulas.',
  );
  return fileFormat('csv', 'CSV', detail);
}

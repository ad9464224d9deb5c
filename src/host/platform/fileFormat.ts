import * as vscode from 'vscode';

/** A form that exported files can have. */
export interface FileFormat<Format extends string> extends vscode.QuickPickItem {
  /** Also the ending of the file's name. */
  readonly format: Format;
}

/** @param detail what such a file holds */
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
    'A workbook with up to 1,048,575 rows. Numbers and times that Excel would round are texts; a second sheet names the types of the columns.',
  );
  return fileFormat('xlsx', 'Excel', detail);
}

/** The form that spreadsheets read. */
export function csvFormat(): FileFormat<'csv'> {
  const detail = vscode.l10n.t(
    'A column for each value. Texts that a spreadsheet would run as formulas begin with an apostrophe.',
  );
  return fileFormat('csv', 'CSV', detail);
}

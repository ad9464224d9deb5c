import * as vscode from 'vscode';
import { toFleetError } from '../../core/api/errors';
import { SheetLimitError } from '../../core/data/export/xlsx/xlsxWriter';

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
        'An Excel worksheet can contain at most 1,048,575 rows plus a header row. Use CSV or another format, or query fewer rows.',
      )
    : vscode.l10n.t(
        'The result is too large for an Excel sheet. Use CSV or another format, or query fewer columns.',
      );
}

/** Returns the system error code, such as `ENOSPC`. */
function getErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

import * as vscode from 'vscode';

/** Why a folder of this machine takes nothing more. @param code of the system, such as `ENOSPC`. */
export function folderWords(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return vscode.l10n.t('The disk is full. Make room, then try again: it goes on where it was.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return vscode.l10n.t('The folder cannot be written to. Choose another one.');
    case 'ENOENT':
      return vscode.l10n.t('The folder is not there any more. Choose another one.');
    case 'ELOOP':
      return vscode.l10n.t(
        'There is a link in the folder where a file or folder belongs. Links are not followed: choose another folder.',
      );
    default:
      return vscode.l10n.t('The folder cannot be written to ({0}).', code);
  }
}

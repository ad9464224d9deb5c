import * as vscode from 'vscode';

/**
 * Returns the user-facing reason why a folder on this computer can no longer be written to.
 * @param code system error code, such as `ENOSPC`.
 */
export function describeFolderError(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return vscode.l10n.t(
        'The disk is full. Free up space, then retry. The download resumes where it stopped.',
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return vscode.l10n.t("The folder isn't writable. Select another folder.");
    case 'ENOENT':
      return vscode.l10n.t('The folder no longer exists. Select another folder.');
    case 'ELOOP':
      return vscode.l10n.t(
        'The folder contains a symbolic link where a file or folder is expected. Select another folder.',
      );
    default:
      return vscode.l10n.t("Couldn't write to the folder ({0}).", code);
  }
}

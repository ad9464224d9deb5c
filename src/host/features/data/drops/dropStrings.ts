import * as vscode from 'vscode';
import type { DropStrings } from '../../../../shared/data/drops';

/** Returns the panel's strings for dropped files. */
export function dropStrings(): DropStrings {
  return {
    upload: vscode.l10n.t('Upload…'),
    uploadHint: vscode.l10n.t(
      'Upload files or folders. You can also drop them into this panel. Hold Shift while you drag from the VS Code Explorer.',
    ),
    dropHere: vscode.l10n.t('Drop files to upload them'),
    mayNotWrite: vscode.l10n.t("This API key doesn't have permission to add data here."),
  };
}

import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';
import { getFileName } from './documentUris';

/**
 * Applies an edit to one document.
 * @throws FleetError `conflict` if VS Code rejects it.
 */
export async function applyEdit(edit: vscode.WorkspaceEdit, uri: vscode.Uri): Promise<void> {
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new FleetError(
    'conflict',
    vscode.l10n.t(
      '"{0}" was not changed, because its editor rejected the edit. Check that the file is not read-only, and try again.',
      getFileName(uri),
    ),
  );
}

import * as vscode from 'vscode';
import { getFileName } from '../../platform/documents/documentUris';
import type { OpenDocument } from './conflictResolver';

/**
 * Writes a document's text to a file that the user selects. VS Code's own Save As would suggest a
 * folder in the fleet, where files can't be created.
 */
export async function saveCopy({ document, file }: OpenDocument): Promise<void> {
  const name = getFileName(document.uri);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save a Copy of {0}', name),
    filters: { JSON: ['json'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (!target) return;
  const text = document.getText();
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  // If the user typed while the file was being written, the document contains text that isn't in
  // the file, so it stays open.
  if (file.isDeleted && document.getText() === text) {
    // The edits have been saved to the copy, and the editor can't save them anywhere else because
    // the resource was deleted.
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.window.showTextDocument(target, { preview: false });
}

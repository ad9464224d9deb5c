import * as vscode from 'vscode';
import { findTextEdit } from '../../core/documents/textEdit';

/**
 * Makes a document say `text` by an edit of what differs, so that the cursor stays where it can and one
 * Undo brings the old text back.
 */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const change = findTextEdit(document.getText(), text.replace(/\r\n?|\n/g, eol));
  if (!change) return;
  const range = new vscode.Range(
    document.positionAt(change.start),
    document.positionAt(change.end),
  );
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, change.text);
  await vscode.workspace.applyEdit(edit);
}

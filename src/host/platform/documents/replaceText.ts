import * as vscode from 'vscode';
import { findTextEdit } from '../../../core/documents/textEdit';
import { FleetError } from '../../../core/api/errors';
import { getFileName } from './documentUris';

/**
 * Replaces a document's text by editing only the difference. The cursor stays in place if possible,
 * and a single Undo restores the previous text.
 *
 * @returns the range of the new text; undefined if the document already has this text
 * @throws FleetError `conflict` if VS Code rejects the edit
 */
export async function replaceText(
  document: vscode.TextDocument,
  text: string,
): Promise<vscode.Range | undefined> {
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const change = findTextEdit(document.getText(), text.replace(/\r\n?|\n/g, eol));
  if (!change) return undefined;
  const range = new vscode.Range(
    document.positionAt(change.start),
    document.positionAt(change.end),
  );
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, change.text);
  await applyEdit(edit, document.uri);
  const end = document.positionAt(change.start + change.text.length);
  return new vscode.Range(range.start, end);
}

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

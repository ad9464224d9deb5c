import * as vscode from 'vscode';
import type { TextRange } from '../../../core/documents/rejection';

/** Returns the range of an offset and a length in a document. */
export function toRange(
  document: vscode.TextDocument,
  { offset, length }: TextRange,
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

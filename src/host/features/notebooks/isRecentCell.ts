import * as vscode from 'vscode';
import { readCellMetadata } from './metadata';

/** Returns true if the cell in a document queries only recent data. */
export function isRecentCell(text: vscode.TextDocument): boolean {
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return readCellMetadata(cells.find(({ document }) => document === text)?.metadata).recent;
}

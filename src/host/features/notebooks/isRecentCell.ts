import * as vscode from 'vscode';
import { readCellMetadata } from './metadata';

/** Whether the cell with a text asks recent data alone. */
export function isRecentCell(text: vscode.TextDocument): boolean {
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return readCellMetadata(cells.find(({ document }) => document === text)?.metadata).recent;
}

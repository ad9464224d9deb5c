import * as vscode from 'vscode';
import { notebooks } from '../../../manifest/notebooks';
import type { CellResult } from '../../../shared/query/queryNotebook';

const PLAIN_TEXT = 'text/plain';

/**
 * Returns the output items of a result: the result itself, and a text representation for programs
 * that can't show it, for example when the output is copied.
 */
export function resultItems(result: string, text: string): vscode.NotebookCellOutputItem[] {
  const shown: CellResult = { result };
  return [
    vscode.NotebookCellOutputItem.json(shown, notebooks.mimeType),
    vscode.NotebookCellOutputItem.text(text, PLAIN_TEXT),
  ];
}

/** Returns the output for a query that was not run. */
export function failureOutput(message: string): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stderr(message)]);
}

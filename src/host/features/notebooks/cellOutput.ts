import * as vscode from 'vscode';
import { notebooks } from '../../../manifest/notebooks';
import type { CellResult } from '../../../shared/query/queryNotebook';

const PLAIN_TEXT = 'text/plain';

/**
 * What a cell shows of a result: the result itself, and the same in words for whatever cannot show that,
 * such as a copy of the output.
 */
export function resultItems(result: string, words: string): vscode.NotebookCellOutputItem[] {
  const shown: CellResult = { result };
  return [
    vscode.NotebookCellOutputItem.json(shown, notebooks.mimeType),
    vscode.NotebookCellOutputItem.text(words, PLAIN_TEXT),
  ];
}

/** Why a query was not asked at all. */
export function failureOutput(message: string): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stderr(message)]);
}

import * as vscode from 'vscode';
import type { TextRange } from '../../../core/documents/rejection';

/** Returns the range of an offset and a length in a document. */
export function toRange(
  document: vscode.TextDocument,
  { offset, length }: TextRange,
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** Returns a function that does the same as `toRange` for a text whose document might not be open. */
export function createRangeFinder(text: string): (range: TextRange) => vscode.Range {
  const starts = [
    0,
    ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length),
  ];
  const toPosition = (offset: number): vscode.Position => {
    const line = starts.findLastIndex((start) => start <= offset);
    return new vscode.Position(line, offset - (starts[line] ?? 0));
  };
  return ({ offset, length }) => new vscode.Range(toPosition(offset), toPosition(offset + length));
}

import type { TextEdit } from '../../src/core/documents/textEdit';

/** Returns the text with edits applied; the edits can be in any order. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((left, right) => right.start - left.start)
    .reduce((now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end), text);
}

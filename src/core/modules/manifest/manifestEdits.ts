import { type FormattingOptions, modify, type Node, parseTree } from 'jsonc-parser';
import type { TextEdit } from '../../documents/textEdit';
import type { ManifestFix, ManifestPath } from './manifestFinding';
import { findField } from './manifestTree';

/** Fixes that change the text itself; others change files. */
export type TextFix = Extract<
  ManifestFix,
  { readonly kind: 'setValue' | 'renameField' | 'removeValue' }
>;

/**
 * Returns the edits of a manifest for a fix. They touch nothing else in the text; empty if the
 * affected text no longer exists.
 */
export function createFixEdits(text: string, fix: TextFix): readonly TextEdit[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const found = root && findField(root, fix.path);
  if (!found) return [];
  switch (fix.kind) {
    case 'setValue':
      return [replacing(found.value, fix.value)];
    case 'renameField':
      return found.key ? [replacing(found.key, fix.name)] : [];
    case 'removeValue':
      return removed(text, fix.path);
  }
}

function removed(text: string, path: ManifestPath): readonly TextEdit[] {
  const options = { formattingOptions: detectFormatting(text) };
  return modify(text, [...path], undefined, options).map(({ offset, length, content }) => ({
    ...{ start: offset, end: offset + length, text: content },
  }));
}

/** Returns the layout of a text, for insertions. */
export function detectFormatting(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function replacing({ offset, length }: Node, value: string): TextEdit {
  return { start: offset, end: offset + length, text: JSON.stringify(value) };
}

import { type FormattingOptions, modify, type Node, parseTree } from 'jsonc-parser';
import type { TextEdit } from '../../documents/textEdit';
import type { ManifestFix, ManifestPath } from './manifestFinding';
import { findField } from './manifestTree';

/** Fixes that change the text of the manifest. All other fixes change files. */
export type TextFix = Extract<
  ManifestFix,
  { readonly kind: 'setValue' | 'renameField' | 'removeValue' }
>;

/**
 * Returns the edits to a manifest for a fix, which leave everything else in the text unchanged.
 * Empty if the affected text no longer exists.
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

/** Detects the formatting of a text, so that insertions can follow it. */
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

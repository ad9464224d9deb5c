import type { FormattingOptions } from 'jsonc-parser';
import { detectLineEnding } from '../../documents/textLayout';

/** Detects the formatting of a document, so that insertions can follow it. */
export function detectFormatting(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: detectLineEnding(text),
  };
}

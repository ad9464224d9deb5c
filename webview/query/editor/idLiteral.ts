import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { QueryLanguage } from '../../../src/shared/query/editor';

/**
 * Returns an ID as it must be written at an offset: in quotes, unless the offset is already inside
 * quotes.
 */
export function idLiteral(
  id: string,
  { state, language }: { readonly state: EditorState; readonly language: QueryLanguage },
): string {
  const { from } = state.selection.main;
  const { name, from: start, to: end } = syntaxTree(state).resolveInner(from, 1);
  const isWithin = /string/i.test(name) && from > start && from < end;
  if (isWithin) return id;
  return language === 'sql' ? `'${id.replaceAll("'", "''")}'` : JSON.stringify(id);
}

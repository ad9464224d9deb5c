import type { QueryFrameStrings } from '../../../src/shared/query/queryFrameStrings';

/** Translations of the editor's own strings, by the English phrases that it uses as keys. */
export function editorPhrases({
  editor,
  search,
}: QueryFrameStrings): Readonly<Record<string, string>> {
  return {
    Completions: editor.completions,
    Find: search.find,
    Replace: search.replaceWith,
    next: search.next,
    previous: search.previous,
    all: search.all,
    'match case': search.matchCase,
    regexp: search.pattern,
    'by word': search.wholeWord,
    replace: search.replace,
    'replace all': search.replaceAll,
    close: search.close,
    'current match': search.currentMatch,
    'on line': search.onLine,
  };
}

import {
  type Completion,
  type CompletionSource,
  insertCompletionText,
  pickedCompletion,
  snippet,
} from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type {
  CompletionKind,
  QueryCompletion,
  QueryCompletions,
} from '../../../src/shared/query/editor';
import { snippetTemplate } from './snippetTemplate';

/** What can stand at a place of a text; rejects when that is not known. */
export type AskCompletions = (
  at: { readonly text: string; readonly offset: number; readonly explicit: boolean },
  signal: AbortSignal,
) => Promise<QueryCompletions>;

/** The signs beside completions, by the editor's own names for them. */
const signs: Readonly<Record<CompletionKind, string>> = {
  keyword: 'keyword',
  function: 'function',
  table: 'class',
  column: 'property',
  field: 'property',
  stage: 'namespace',
  operator: 'method',
  value: 'constant',
  parameter: 'variable',
};

/** Completions of the host. They stay as long as a word goes on; what is asked for is aborted when it is of no use. */
export function completionSource(ask: AskCompletions): CompletionSource {
  return async (context) => {
    const asking = new AbortController();
    context.addEventListener('abort', () => asking.abort());
    const { explicit, pos: offset, state } = context;
    try {
      const found = await ask({ text: state.doc.toString(), offset, explicit }, asking.signal);
      if (context.aborted || found.options.length === 0 || found.from > offset) return null;
      const quote = state.sliceDoc(found.from, found.from + 1) === '"' ? '"' : '';
      // It stays as it is while a word goes on before it.
      const behind = Math.max(0, (found.to ?? offset) - offset);
      return {
        from: found.from,
        options: found.options.map((option, index) => completion(option, index, { quote, behind })),
        validFor: /^["\w$]*$/,
      };
    } catch {
      // Typing goes on without them; the next key asks again.
      return null;
    }
  };
}

interface Around {
  /** What was typed before the name, which the editor compares with labels. */
  readonly quote: string;
  /** How many characters after the cursor are replaced as well, such as a closing quotation mark. */
  readonly behind: number;
}

function completion(option: QueryCompletion, index: number, { quote, behind }: Around): Completion {
  const { label, kind, detail, info, insert = label, isSnippet = false } = option;
  const needsQuote = quote !== '' && !label.startsWith(quote);
  return {
    label: needsQuote ? `${quote}${label}` : label,
    ...(needsQuote && { displayLabel: label }),
    ...{ type: signs[kind], sortText: String(index).padStart(6, '0') },
    ...(detail !== undefined && { detail }),
    ...(info !== undefined && { info }),
    apply: (view, chosen, from, to) => {
      const isClosed = behind === 0 && insert.startsWith('"') && isQuote(view.state, to);
      const end = isClosed ? to + 1 : Math.min(to + behind, view.state.doc.length);
      if (isSnippet) snippet(snippetTemplate(insert))(view, chosen, from, end);
      else put(view, chosen, insert, { from, end });
    },
  };
}

/** Whether the quote that was put in by itself when the first one was typed stands at a place. */
function isQuote(state: EditorState, at: number): boolean {
  return state.sliceDoc(at, at + 1) === '"';
}

function put(
  view: EditorView,
  chosen: Completion,
  insert: string,
  { from, end }: { readonly from: number; readonly end: number },
): void {
  view.dispatch({
    ...insertCompletionText(view.state, insert, from, end),
    annotations: pickedCompletion.of(chosen),
  });
}

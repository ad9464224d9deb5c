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

/** Requests the completions at an offset in the text; rejects if they can't be determined. */
export type RequestCompletions = (
  at: { readonly text: string; readonly offset: number; readonly explicit: boolean },
  signal: AbortSignal,
) => Promise<QueryCompletions>;

/** Icons of completion kinds, by the names that the editor uses. */
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

/**
 * Returns a source that requests completions from the host. Completions stay valid while the user
 * continues a word; outdated requests are aborted.
 */
export function completionSource(request: RequestCompletions): CompletionSource {
  return async (context) => {
    const controller = new AbortController();
    context.addEventListener('abort', () => controller.abort());
    const { explicit, pos: offset, state } = context;
    try {
      const found = await request(
        { text: state.doc.toString(), offset, explicit },
        controller.signal,
      );
      if (context.aborted || found.options.length === 0 || found.from > offset) return null;
      const quote = state.sliceDoc(found.from, found.from + 1) === '"' ? '"' : '';
      // The range after the cursor stays the same while the user continues the word before it.
      const behind = Math.max(0, (found.to ?? offset) - offset);
      return {
        from: found.from,
        options: found.options.map((option, index) => completion(option, index, { quote, behind })),
        validFor: /^["\w$]*$/,
      };
    } catch {
      // Let the user continue without completions; the next keystroke requests them again.
      return null;
    }
  };
}

interface Around {
  /**
   * Quotation mark that the user typed before the name. It is needed because the editor compares
   * labels with the typed text.
   */
  readonly quote: string;
  /** Number of characters to replace after the cursor, such as a closing quotation mark. */
  readonly behind: number;
}

function completion(option: QueryCompletion, index: number, { quote, behind }: Around): Completion {
  const { label, kind, detail, info, insert = label, isSnippet = false } = option;
  const needsQuote = quote !== '' && !label.startsWith(quote);
  return {
    label: needsQuote ? `${quote}${label}` : label,
    ...(needsQuote && { displayLabel: label }),
    type: signs[kind],
    sortText: String(index).padStart(6, '0'),
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

/**
 * Returns true if there is a quotation mark at an offset, such as the closing one that the editor
 * inserts automatically.
 */
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

/**
 * Converts a VS Code snippet (`$1`, `${2:name}`, `$0`, `\$`) to this editor's format, which
 * supports only placeholders in braces and treats any other dollar sign as text.
 */
export function snippetTemplate(snippet: string): string {
  return snippet.replaceAll(
    /\\([$\\}])|\$(\d+)|\$\{\d+(?::[^}]*)?\}|[{}]/g,
    (found, escaped?: string, tabStop?: string) => {
      if (tabStop !== undefined) return `\${${tabStop}}`;
      const text = escaped ?? found;
      // This editor's format escapes braces, and otherwise interprets those after `$` and `#`.
      return text === '{' || text === '}' ? `\\${text}` : text;
    },
  );
}

import * as l10n from '@vscode/l10n';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState, Text } from '@codemirror/state';
import type { QueryEdit, QueryDiagnostic } from '../../../src/shared/query/editor';

/** A problem in a range of the text: a diagnostic or a failed run. */
export type EditorProblem = Omit<QueryDiagnostic, 'rule'>;

const severities = { error: 'error', warning: 'warning', information: 'info' } as const;

/**
 * Converts a problem to an editor diagnostic. Its fixes do nothing after the text changes, because
 * the problems are requested again.
 *
 * @param names names of the severities, which don't rely on color
 */
export function toDiagnostic(
  problem: EditorProblem,
  state: EditorState,
  names: Readonly<Record<QueryDiagnostic['severity'], string>>,
): Diagnostic {
  const { severity, message, fixes } = problem;
  const { doc } = state;
  return {
    ...markedSpan(problem, state),
    severity: severities[severity],
    message,
    source: names[severity],
    actions: fixes.map(({ title, edits }) => ({
      name: title,
      apply: (view) => {
        if (view.state.doc === doc) view.dispatch({ changes: toChanges(edits, doc) });
        view.focus();
      },
    })),
  };
}

export function toChanges(
  edits: readonly QueryEdit[],
  doc: Text,
): { readonly from: number; readonly to: number; readonly insert: string }[] {
  return edits.map(({ start, end, insert }) => {
    const from = within(start, doc);
    return { from, to: Math.max(from, within(end, doc)), insert };
  });
}

/**
 * Clamps a range to the text. If possible, extends the range to at least one character, because a
 * mark without width isn't visible.
 */
function markedSpan(
  { start, end }: Pick<EditorProblem, 'start' | 'end'>,
  state: EditorState,
): { readonly from: number; readonly to: number } {
  const { doc } = state;
  const from = within(start, doc);
  const to = Math.max(from, within(end, doc));
  if (to > from) return { from, to };
  const word = state.wordAt(from);
  if (word) return { from: word.from, to: word.to };
  return from < doc.length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from };
}

function within(offset: number, doc: Text): number {
  return Math.min(Math.max(0, Math.trunc(offset)), doc.length);
}

/** Returns the names of the severities. */
export function getSeverityNames(): Readonly<Record<QueryDiagnostic['severity'], string>> {
  return { error: l10n.t('Error'), warning: l10n.t('Warning'), information: l10n.t('Information') };
}

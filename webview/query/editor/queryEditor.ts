import * as l10n from '@vscode/l10n';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { syntaxTree } from '@codemirror/language';
import type { QueryLanguage } from '../../../src/shared/query/editor';
import type { Texts } from '../../../src/shared/query/queryPanel';
import { element } from '../../ui/elements';
import { type EditorActions, editorExtensions, KEYS_HELP } from './editorExtensions';
import { type EditorProblem, getSeverityNames, toChanges, toDiagnostic } from './editorProblems';

interface EditorOptions {
  readonly language: QueryLanguage;
  /** The text of each language. */
  readonly texts: Texts;
  readonly actions: EditorActions;
  /**
   * Called when the shown text changes because of an edit or because the user switched the
   * language.
   */
  readonly onText: () => void;
  readonly onSelection: () => void;
}

/** A range of the text and its start offset. */
export interface EditorPart {
  readonly text: string;
  readonly offset: number;
}

/** The query editor. Each language has its own text, cursor, and undo history. */
export class QueryEditor {
  readonly element: HTMLElement;
  private readonly view: EditorView;
  private readonly states = new Map<QueryLanguage, EditorState>();
  private shown: QueryLanguage;

  constructor(private readonly options: EditorOptions) {
    const { language } = options;
    this.shown = language;
    this.view = new EditorView({
      state: this.getEditorState(language),
      dispatchTransactions: (transactions, view) => this.apply(transactions, view),
    });
    const help = element(
      'p',
      { id: KEYS_HELP, class: 'visually-hidden' },
      l10n.t(
        'Ctrl+Space shows suggestions, F8 goes to the next problem, Ctrl+. shows fixes, and Ctrl+F searches. To leave the editor, press Escape and then Tab.',
      ),
    );
    this.element = element('div', { class: 'query-editor' }, help);
    this.element.append(this.view.dom);
    // VS Code also handles keys that propagate out of the page. For example, it would undo a second
    // time.
    this.element.addEventListener('keydown', (event) => {
      if (event.defaultPrevented) event.stopPropagation();
    });
  }

  get language(): QueryLanguage {
    return this.shown;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Text of each language. */
  get texts(): Texts {
    const texts: Record<string, string> = { ...this.options.texts };
    for (const [language, state] of this.states) texts[language] = state.doc.toString();
    texts[this.shown] = this.text;
    return texts;
  }

  /** The selected text; undefined if it is empty or only white space. */
  get selection(): EditorPart | undefined {
    const { state } = this.view;
    const { from, to } = state.selection.main;
    const text = state.sliceDoc(from, to);
    return text.trim() === '' ? undefined : { text, offset: from };
  }

  setLanguage(language: QueryLanguage): void {
    if (language === this.shown) return;
    this.states.set(this.shown, this.view.state);
    this.shown = language;
    this.view.setState(this.getEditorState(language));
    this.options.onText();
  }

  /** Replaces the text; the user can undo the change. */
  replaceDocument(text: string): void {
    const { doc } = this.view.state;
    this.view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: text.length },
      annotations: Transaction.userEvent.of('input.paste'),
    });
  }

  /** Inserts an ID at the cursor, in quotes if required. */
  insertId(id: string): void {
    const { state } = this.view;
    const text = idLiteral(id, { state, language: this.shown });
    this.view.dispatch(state.replaceSelection(text), {
      annotations: Transaction.userEvent.of('input.paste'),
    });
  }

  /** Marks problems in the current text. */
  showProblems(problems: readonly EditorProblem[]): void {
    const { state } = this.view;
    const found = problems.map((problem) => toDiagnostic(problem, state, getSeverityNames()));
    this.view.dispatch(setDiagnostics(state, found));
  }

  /** Applies the edits from a problem's fix to the text in which the problem was found. */
  fix(edits: EditorProblem['fixes'][number]['edits']): void {
    const changes = toChanges(edits, this.view.state.doc);
    this.view.dispatch({ changes, annotations: Transaction.userEvent.of('input.paste') });
    this.focus();
  }

  /** Returns the line and column at an offset, counted from 1. */
  getLineAndColumn(offset: number): { readonly line: number; readonly column: number } {
    const { doc } = this.view.state;
    const clamped = Math.min(Math.max(0, offset), doc.length);
    const { number, from } = doc.lineAt(clamped);
    return { line: number, column: clamped - from + 1 };
  }

  /** Moves the cursor to an offset and scrolls it into view. */
  goTo(offset: number): void {
    const anchor = Math.min(Math.max(0, offset), this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.focus();
  }

  focus(): void {
    this.view.focus();
  }

  private getEditorState(language: QueryLanguage): EditorState {
    const { texts, actions } = this.options;
    const known = this.states.get(language);
    if (known) return known;
    return EditorState.create({
      doc: texts[language] ?? '',
      extensions: editorExtensions({ language, ...actions }),
    });
  }

  private apply(transactions: readonly Transaction[], view: EditorView): void {
    view.update(transactions);
    if (transactions.some(({ docChanged }) => docChanged)) this.options.onText();
    if (transactions.some(({ selection }) => selection)) this.options.onSelection();
  }
}

/**
 * Returns an ID as it must be written at an offset: in quotes, unless the offset is already inside
 * quotes.
 */
function idLiteral(
  id: string,
  { state, language }: { readonly state: EditorState; readonly language: QueryLanguage },
): string {
  const { from } = state.selection.main;
  const { name, from: start, to: end } = syntaxTree(state).resolveInner(from, 1);
  const isWithin = /string/i.test(name) && from > start && from < end;
  if (isWithin) return id;
  return language === 'sql' ? `'${id.replaceAll("'", "''")}'` : JSON.stringify(id);
}

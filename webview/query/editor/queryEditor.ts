import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { QueryLanguage } from '../../../src/shared/query/editor';
import type { QueryFrameStrings } from '../../../src/shared/query/queryFrameStrings';
import type { Texts } from '../../../src/shared/query/queryPanel';
import { element } from '../../ui/elements';
import { type EditorActions, editorExtensions, KEYS_HELP } from './editorExtensions';
import { changesOf, diagnosticOf, type EditorProblem } from './editorProblems';
import { idLiteral } from './idLiteral';

interface EditorOptions {
  readonly strings: QueryFrameStrings;
  readonly language: QueryLanguage;
  /** By language. */
  readonly texts: Texts;
  readonly actions: EditorActions;
  /** Another text is in the editor: it was changed, or it is the one of another language. */
  readonly onText: () => void;
  readonly onSelection: () => void;
}

/** A stretch of the text and where it begins. */
export interface EditorPart {
  readonly text: string;
  readonly offset: number;
}

/** The editor of queries. Each language keeps its own text, cursor and history of changes. */
export class QueryEditor {
  readonly element: HTMLElement;
  private readonly view: EditorView;
  private readonly states = new Map<QueryLanguage, EditorState>();
  private shown: QueryLanguage;

  constructor(private readonly options: EditorOptions) {
    const { strings, language } = options;
    this.shown = language;
    this.view = new EditorView({
      state: this.stateOf(language),
      dispatchTransactions: (transactions, view) => this.apply(transactions, view),
    });
    const help = element('p', { id: KEYS_HELP, class: 'visually-hidden' }, strings.editor.keys);
    this.element = element('div', { class: 'query-editor' }, help);
    this.element.append(this.view.dom);
    // VS Code acts on keys that come out of the page, such as undoing once more.
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

  /** What each language has. */
  get texts(): Texts {
    const texts: Record<string, string> = { ...this.options.texts };
    for (const [language, state] of this.states) texts[language] = state.doc.toString();
    texts[this.shown] = this.text;
    return texts;
  }

  /** What is selected; undefined where that is nothing but white space. */
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
    this.view.setState(this.stateOf(language));
    this.options.onText();
  }

  /** Puts a text in the place of the one that is there, which can be undone. */
  replace(text: string): void {
    const { doc } = this.view.state;
    this.view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: text.length },
      annotations: Transaction.userEvent.of('input.paste'),
    });
  }

  /** Writes an id at the cursor, in quotes where it needs them. */
  insertId(id: string): void {
    const { state } = this.view;
    const text = idLiteral(id, { state, language: this.shown });
    this.view.dispatch(state.replaceSelection(text), {
      annotations: Transaction.userEvent.of('input.paste'),
    });
  }

  /** Marks problems of the text as it is. */
  showProblems(problems: readonly EditorProblem[]): void {
    const { state } = this.view;
    const { severities } = this.options.strings.problems;
    const found = problems.map((problem) => diagnosticOf(problem, state, severities));
    this.view.dispatch(setDiagnostics(state, found));
  }

  /** Does what a fix of a problem says, in the text that it was found in. */
  fix(edits: EditorProblem['fixes'][number]['edits']): void {
    const changes = changesOf(edits, this.view.state.doc);
    this.view.dispatch({ changes, annotations: Transaction.userEvent.of('input.paste') });
    this.focus();
  }

  /** The line and column of a place, counted from one. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    const { doc } = this.view.state;
    const place = Math.min(Math.max(0, offset), doc.length);
    const { number, from } = doc.lineAt(place);
    return { line: number, column: place - from + 1 };
  }

  /** Puts the cursor at a place and shows it. */
  goTo(offset: number): void {
    const anchor = Math.min(Math.max(0, offset), this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.focus();
  }

  focus(): void {
    this.view.focus();
  }

  private stateOf(language: QueryLanguage): EditorState {
    const { strings, texts, actions } = this.options;
    const known = this.states.get(language);
    if (known) return known;
    return EditorState.create({
      doc: texts[language] ?? '',
      extensions: editorExtensions({ language, strings, ...actions }),
    });
  }

  private apply(transactions: readonly Transaction[], view: EditorView): void {
    view.update(transactions);
    if (transactions.some(({ docChanged }) => docChanged)) this.options.onText();
    if (transactions.some(({ selection }) => selection)) this.options.onSelection();
  }
}

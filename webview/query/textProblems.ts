import type { CheckedQuery } from '../../src/shared/query/editor';
import type { EditorProblem } from './editor/editorProblems';
import type { QueryEditor } from './editor/queryEditor';
import { TextChecks } from './editor/textChecks';
import { ProblemList } from './problemList';
import type { QueryContext } from './queryContext';

interface ProblemOptions {
  readonly context: QueryContext;
  readonly editor: QueryEditor;
  /** Whether a pipeline would be asked of recent data alone. */
  readonly recent: () => boolean;
  /** Why and where a run of the text, as it is, failed. */
  readonly failure: () => EditorProblem | undefined;
  /** Called with whether the list has why the run failed. */
  readonly onFailureListed: (listed: boolean) => void;
  /** The names of the text's parameters. */
  readonly onParameters: (names: readonly string[]) => void;
}

/** What is wrong or doubtful in the text: marked in the editor and listed below it. */
export class TextProblems {
  readonly element: HTMLElement;
  private readonly checks: TextChecks;
  private readonly list: ProblemList;
  private findings: readonly EditorProblem[] = [];
  private checkedText = '';
  private showsFailure = false;

  constructor(private readonly options: ProblemOptions) {
    const { context, editor, onParameters } = options;
    this.checks = new TextChecks({
      check: (query, signal) => context.host.request('checkQuery', query, signal),
      onChecked: ({ findings, parameters }, { text }) => {
        this.findings = findings;
        this.checkedText = text;
        onParameters(parameters);
        this.show();
      },
    });
    this.list = new ProblemList({
      strings: context.strings.problems,
      placeOf: (offset) => editor.placeOf(offset),
      goTo: (offset) => editor.goTo(offset),
      // What mends the text as it was could break the one that is there.
      fix: (edits) => this.checkedText === editor.text && editor.fix(edits),
    });
    this.element = this.list.element;
  }

  /** Findings stay until the new text is checked: without them everything would jump with each key. */
  textChanged(): void {
    if (this.showsFailure) this.show();
    this.checks.changed(this.query);
  }

  checkNow(): void {
    this.checks.now(this.query);
  }

  /** Takes the keyboard to what mends the problem at a place, or else the first. @returns whether there is any */
  focusFix(offset: number): boolean {
    return this.list.focusFix(offset);
  }

  /** Redraws, as a run failed or another one was begun. */
  show(): void {
    const failure = this.options.failure();
    this.showsFailure = failure !== undefined;
    const problems = failure ? withFailure(failure, this.findings) : this.findings;
    this.options.editor.showProblems(problems);
    this.list.show(problems);
    this.options.onFailureListed(this.showsFailure);
  }

  private get query(): CheckedQuery {
    const { language, text } = this.options.editor;
    return { language, text, recent: this.options.recent() };
  }
}

/** A run fails at what was found before it: the finding says it alone, as it may know what mends it. */
function withFailure(
  failure: EditorProblem,
  findings: readonly EditorProblem[],
): readonly EditorProblem[] {
  const isFound = findings.some(
    ({ severity, start, end }) =>
      severity === 'error' && start <= failure.start && failure.start <= end,
  );
  return isFound ? findings : [failure, ...findings];
}

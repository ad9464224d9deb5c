import type { CheckedQuery, QueryFinding } from '../../src/shared/query/editor';
import type { EditorProblem } from './editor/editorProblems';
import type { QueryEditor } from './editor/queryEditor';
import { ProblemList } from './problemList';
import type { QueryContext } from './queryContext';

interface ProblemOptions {
  readonly context: QueryContext;
  readonly editor: QueryEditor;
  /** Returns true if a pipeline would query only recent data. */
  readonly recent: () => boolean;
  /**
   * Returns the reason and position of the failure if the current text was run and the run failed.
   */
  readonly failure: () => EditorProblem | undefined;
  /** Called when the list starts or stops showing the reason why the run failed. */
  readonly onFailureListed: (listed: boolean) => void;
  /** Called with the names of the parameters in the text. */
  readonly onParameters: (names: readonly string[]) => void;
}

/** Errors and warnings in the text, marked in the editor and listed below it. */
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
      getLineAndColumn: (offset) => editor.getLineAndColumn(offset),
      goTo: (offset) => editor.goTo(offset),
      // A fix for an earlier version of the text could break the current text.
      fix: (edits) => this.checkedText === editor.text && editor.fix(edits),
    });
    this.element = this.list.element;
  }

  /**
   * Keeps the old diagnostics until the new text is checked, so that the layout doesn't jump with
   * each keystroke.
   */
  textChanged(): void {
    if (this.showsFailure) this.show();
    this.checks.changed(this.query);
  }

  checkNow(): void {
    this.checks.now(this.query);
  }

  /**
   * Focuses the fix of the problem at an offset or, if there is none, the first fix.
   * @returns true if there is a fix
   */
  focusFix(offset: number): boolean {
    return this.list.focusFix(offset);
  }

  /** Redraws because a run failed or another run started. */
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

/**
 * Merges the failure of a run with the diagnostics: if a diagnostic covers the failure, only the
 * diagnostic is shown, because it can have a fix.
 */
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

/** Debounce time in milliseconds after typing. */
const TYPING = 300;

export interface CheckResult {
  readonly findings: readonly QueryFinding[];
  /** Names of the parameters, in order of appearance. */
  readonly parameters: readonly string[];
}

interface CheckOptions {
  readonly check: (query: CheckedQuery, signal: AbortSignal) => Promise<CheckResult>;
  /** Called with the result of a check if the checked text is still current. */
  readonly onChecked: (checked: CheckResult, query: CheckedQuery) => void;
}

/** Checks the current text when the user pauses typing; aborts requests for earlier text. */
class TextChecks {
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private abortController = new AbortController();

  constructor(private readonly options: CheckOptions) {}

  /** Called when the text has changed. */
  changed(query: CheckedQuery): void {
    this.stop();
    this.waiting = setTimeout(() => void this.runCheck(query), TYPING);
  }

  /** Checks the text immediately. */
  now(query: CheckedQuery): void {
    this.stop();
    void this.runCheck(query);
  }

  private stop(): void {
    clearTimeout(this.waiting);
    this.abortController.abort();
  }

  private async runCheck(query: CheckedQuery): Promise<void> {
    const controller = new AbortController();
    this.abortController = controller;
    try {
      const checked = await this.options.check(query, controller.signal);
      if (!controller.signal.aborted) this.options.onChecked(checked, query);
    } catch {
      // If the check fails, the text is shown without diagnostics; the next change starts another
      // check.
    }
  }
}

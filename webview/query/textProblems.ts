import * as l10n from '@vscode/l10n';
import type { CheckedQuery, QueryDiagnostic } from '../../src/shared/query/editor';
import { type EditorProblem, getSeverityNames } from './editor/editorProblems';
import type { QueryEditor } from './editor/queryEditor';
import type { QueryContext } from './queryContext';
import { element, redrawKeepingFocus, textButton } from '../ui/elements';

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
  private diagnostics: readonly EditorProblem[] = [];
  private checkedText = '';
  private showsFailure = false;

  constructor(private readonly options: ProblemOptions) {
    const { context, editor, onParameters } = options;
    this.checks = new TextChecks({
      check: (query, signal) => context.host.request('checkQuery', query, signal),
      onChecked: ({ diagnostics, parameters }, { text }) => {
        this.diagnostics = diagnostics;
        this.checkedText = text;
        onParameters(parameters);
        this.show();
      },
    });
    this.list = new ProblemList({
      getLineAndColumn: (offset) => editor.getLineAndColumn(offset),
      goTo: (offset) => editor.goTo(offset),
      // A fix for an earlier version of the text could break the current text.
      fix: (edits) => this.checkedText === editor.text && editor.fix(edits),
    });
    this.element = this.list.element;
  }

  /**
   * Retains the old diagnostics until the new text is checked, so that the layout doesn't jump with
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
   * Focuses the fix for the problem at an offset or, if there is none, the first fix.
   * @returns true if there is a fix
   */
  focusFix(offset: number): boolean {
    return this.list.focusFix(offset);
  }

  /** Redraws because a run failed or another run started. */
  show(): void {
    const failure = this.options.failure();
    this.showsFailure = failure !== undefined;
    const problems = failure ? withFailure(failure, this.diagnostics) : this.diagnostics;
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
 * Merges a run's failure with the diagnostics. If a diagnostic covers the failure, only the
 * diagnostic is shown, because it can have a fix.
 */
function withFailure(
  failure: EditorProblem,
  diagnostics: readonly EditorProblem[],
): readonly EditorProblem[] {
  const isFound = diagnostics.some(
    ({ severity, start, end }) =>
      severity === 'error' && start <= failure.start && failure.start <= end,
  );
  return isFound ? diagnostics : [failure, ...diagnostics];
}

/** Debounce time in milliseconds after typing. */
const TYPING = 300;

export interface CheckResult {
  readonly diagnostics: readonly QueryDiagnostic[];
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

/** Maximum number of listed problems; further problems are only marked in the text. */
const MAX_LISTED = 50;

interface ListOptions {
  readonly getLineAndColumn: (offset: number) => { readonly line: number; readonly column: number };
  readonly goTo: (offset: number) => void;
  readonly fix: (edits: EditorProblem['fixes'][number]['edits']) => void;
}

/**
 * The problems in the text, listed below the editor with their positions and fixes, which also
 * makes them accessible to keyboard users. Errors are always visible; multiple warnings collapse
 * into one line that the user can expand.
 */
class ProblemList {
  readonly element = element('div', { class: 'query-problems' });
  private readonly errors: HTMLElement;
  private readonly warnings: HTMLElement;
  private readonly foldLine = element('span', { class: 'problem-fold-line' });
  private readonly fold: HTMLDetailsElement;
  private listed: readonly EditorProblem[] = [];

  constructor(private readonly options: ListOptions) {
    this.errors = element('ul', { 'aria-label': l10n.t('Query problems') });
    this.warnings = element('ul', { 'aria-label': l10n.t('Warnings and notes') });
    const summary = element(
      'summary',
      { title: l10n.t('Show or hide warnings'), 'data-focus': 'problem fold' },
      this.foldLine,
    );
    this.fold = element('details', { class: 'problem-fold' }, summary);
    this.fold.addEventListener('toggle', () => this.showFoldLine());
    this.element.hidden = true;
  }

  show(problems: readonly EditorProblem[]): void {
    const listed = problems.slice(0, MAX_LISTED);
    this.listed = listed;
    redrawKeepingFocus(
      this.element,
      () => this.replaceItems(listed),
      () => undefined,
    );
    this.element.hidden = listed.length === 0;
  }

  /**
   * Focuses the fix for the problem at an offset or, if there is none, the first fix.
   * @returns true if there is a fix
   */
  focusFix(offset: number): boolean {
    const at = this.listed.findIndex(
      ({ start, end, fixes }) => fixes.length > 0 && start <= offset && offset <= end,
    );
    const index = at < 0 ? this.listed.findIndex(({ fixes }) => fixes.length > 0) : at;
    const fix = this.element.querySelector<HTMLElement>(
      `[data-problem="${String(index)}"] .problem-fix`,
    );
    if (fix && this.warnings.contains(fix)) this.fold.open = true;
    fix?.focus();
    return fix !== null;
  }

  private replaceItems(problems: readonly EditorProblem[]): void {
    const items = problems.map((problem, index) => this.item(problem, index));
    const isFolded = (index: number): boolean => problems[index]?.severity !== 'error';
    const folded = items.filter((_, index) => isFolded(index));
    if (folded.length < 2) {
      this.fold.open = false;
      this.errors.replaceChildren(...items);
      this.element.replaceChildren(this.errors);
      return;
    }
    const inView = items.filter((_, index) => !isFolded(index));
    this.errors.replaceChildren(...inView);
    this.warnings.replaceChildren(...folded);
    this.showFoldLine();
    if (this.warnings.parentElement !== this.fold) this.fold.append(this.warnings);
    this.element.replaceChildren(...(inView.length > 0 ? [this.errors] : []), this.fold);
  }

  /**
   * Updates the summary line, which contains the first warning only while the list of warnings is
   * collapsed.
   */
  private showFoldLine(): void {
    const notes = this.listed.filter(({ severity }) => severity !== 'error');
    const isAllWarnings = notes.every(({ severity }) => severity === 'warning');
    const count = String(notes.length);
    if (this.fold.open) {
      this.foldLine.textContent = isAllWarnings
        ? l10n.t('{0} warnings', count)
        : l10n.t('{0} warnings and notes', count);
      return;
    }
    const first = notes[0]?.message ?? '';
    this.foldLine.textContent = isAllWarnings
      ? l10n.t('{0} warnings: {1}', count, first)
      : l10n.t('{0} warnings and notes: {1}', count, first);
  }

  private item({ start, severity, message, fixes }: EditorProblem, index: number): HTMLElement {
    const { getLineAndColumn, goTo, fix } = this.options;
    const { line, column } = getLineAndColumn(start);
    const word = element('span', { class: `problem-${severity}` }, getSeverityNames()[severity]);
    const hint = l10n.t('Go to: {0}', message);
    const link = textButton(message, () => goTo(start), { focusKey: `problem ${index}`, hint });
    const position = l10n.t('line {0}, column {1}', String(line), String(column));
    const fixButtons = fixes.map(({ title, edits }, at) =>
      textButton(title, () => fix(edits), { focusKey: `fix ${index} ${at}`, hint: title }),
    );
    for (const fixButton of fixButtons) fixButton.classList.add('problem-fix');
    const at = element('span', { class: 'faint' }, position);
    const body = element('div', { class: 'problem-body' }, link, at, ...fixButtons);
    return element('li', { 'data-problem': String(index) }, word, body);
  }
}

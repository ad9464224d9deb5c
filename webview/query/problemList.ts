import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import { element, redrawKeepingFocus, textButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { EditorProblem } from './editor/editorProblems';

/** Maximum number of listed problems; further problems are only marked in the text. */
const MAX_LISTED = 50;

interface ListOptions {
  readonly strings: QueryFrameStrings['problems'];
  readonly getLineAndColumn: (offset: number) => { readonly line: number; readonly column: number };
  readonly goTo: (offset: number) => void;
  readonly fix: (edits: EditorProblem['fixes'][number]['edits']) => void;
}

/**
 * The problems in the text, listed below the editor with their positions and fixes, which also
 * makes them accessible to keyboard users. Errors are always visible; multiple warnings collapse
 * into one line that the user can expand.
 */
export class ProblemList {
  readonly element = element('div', { class: 'query-problems' });
  private readonly errors: HTMLElement;
  private readonly warnings: HTMLElement;
  private readonly foldLine = element('span', { class: 'problem-fold-line' });
  private readonly fold: HTMLDetailsElement;
  private listed: readonly EditorProblem[] = [];

  constructor(private readonly options: ListOptions) {
    const { label, warnings, unfold } = options.strings;
    this.errors = element('ul', { 'aria-label': label });
    this.warnings = element('ul', { 'aria-label': warnings });
    const summary = element(
      'summary',
      { title: unfold, 'data-focus': 'problem fold' },
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
   * Focuses the fix of the problem at an offset or, if there is none, the first fix.
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
    const { foldedWarnings, foldedNotes, unfoldedWarnings, unfoldedNotes } = this.options.strings;
    const notes = this.listed.filter(({ severity }) => severity !== 'error');
    const isAllWarnings = notes.every(({ severity }) => severity === 'warning');
    const folded = isAllWarnings ? foldedWarnings : foldedNotes;
    const unfolded = isAllWarnings ? unfoldedWarnings : unfoldedNotes;
    const sentence = this.fold.open ? unfolded : folded;
    const first = notes[0]?.message ?? '';
    this.foldLine.textContent = fillPlaceholders(sentence, String(notes.length), first);
  }

  private item({ start, severity, message, fixes }: EditorProblem, index: number): HTMLElement {
    const { strings, getLineAndColumn: placeOf, goTo, fix } = this.options;
    const { line, column } = placeOf(start);
    const word = element('span', { class: `problem-${severity}` }, strings.severities[severity]);
    const hint = fillPlaceholders(strings.goTo, message);
    const way = textButton(message, () => goTo(start), { focusKey: `problem ${index}`, hint });
    const position = fillPlaceholders(strings.lineAndColumn, String(line), String(column));
    const fixButtons = fixes.map(({ title, edits }, at) =>
      textButton(title, () => fix(edits), { focusKey: `fix ${index} ${at}`, hint: title }),
    );
    for (const fixButton of fixButtons) fixButton.classList.add('problem-fix');
    const at = element('span', { class: 'faint' }, position);
    const body = element('div', { class: 'problem-body' }, way, at, ...fixButtons);
    return element('li', { 'data-problem': String(index) }, word, body);
  }
}

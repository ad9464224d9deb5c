import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import { element, keepingFocus, textButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { EditorProblem } from './editor/editorProblems';

/** More are only marked in the text. */
const MOST_LISTED = 50;

interface ListOptions {
  readonly strings: QueryFrameStrings['problems'];
  readonly placeOf: (offset: number) => { readonly line: number; readonly column: number };
  readonly goTo: (offset: number) => void;
  readonly fix: (edits: EditorProblem['fixes'][number]['edits']) => void;
}

/** The problems of the text below it, each with the way to it and what mends it: also for the keyboard. */
export class ProblemList {
  readonly element: HTMLElement;
  private listed: readonly EditorProblem[] = [];

  constructor(private readonly options: ListOptions) {
    const { label } = options.strings;
    this.element = element('ul', { class: 'query-problems', 'aria-label': label });
    this.element.hidden = true;
  }

  show(problems: readonly EditorProblem[]): void {
    const listed = problems.slice(0, MOST_LISTED);
    this.listed = listed;
    keepingFocus(
      this.element,
      () =>
        this.element.replaceChildren(...listed.map((problem, index) => this.item(problem, index))),
      () => undefined,
    );
    this.element.hidden = listed.length === 0;
  }

  /** Takes the keyboard to the fix of the problem at a place, or else to the first. @returns whether there is any */
  focusFix(offset: number): boolean {
    const at = this.listed.findIndex(
      ({ start, end, fixes }) => fixes.length > 0 && start <= offset && offset <= end,
    );
    const index = at < 0 ? this.listed.findIndex(({ fixes }) => fixes.length > 0) : at;
    const fix = this.element.children[index]?.querySelector<HTMLElement>('.problem-fix');
    fix?.focus();
    return fix !== null && fix !== undefined;
  }

  private item({ start, severity, message, fixes }: EditorProblem, index: number): HTMLElement {
    const { strings, placeOf, goTo, fix } = this.options;
    const { line, column } = placeOf(start);
    const word = element('span', { class: `problem-${severity}` }, strings.severities[severity]);
    const hint = fillPlaceholders(strings.goTo, message);
    const way = textButton(message, () => goTo(start), { focusKey: `problem ${index}`, hint });
    const place = fillPlaceholders(strings.place, String(line), String(column));
    const mends = fixes.map(({ title, edits }, at) =>
      textButton(title, () => fix(edits), { focusKey: `fix ${index} ${at}`, hint: title }),
    );
    for (const mend of mends) mend.classList.add('problem-fix');
    const at = element('span', { class: 'faint' }, place);
    const body = element('div', { class: 'problem-body' }, way, at, ...mends);
    return element('li', {}, word, body);
  }
}

import type { LogFilter } from '../../src/shared/logs';
import type { LogStrings } from '../../src/shared/logStrings';
import { element } from '../ui/elements';
import { toggleButton } from '../ui/toolButton';

/** The part of a filter that the user types. */
export type TextFilter = Pick<LogFilter, 'text' | 'isPattern' | 'matchCase'>;

/** Debounce time in milliseconds after typing. */
const TYPING = 150;

/** The text filter of lines, with its two toggles. */
export class FilterBox {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly problem = element('div', { id: 'filter-problem', class: 'problem' });
  private readonly pattern;
  private readonly matchCase;
  private filter: TextFilter;
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    { filter: labels }: LogStrings,
    filter: TextFilter,
    private readonly onChange: (filter: TextFilter) => void,
  ) {
    this.filter = filter;
    this.input = element('input', {
      ...{ type: 'text', class: 'filter-input', 'data-focus': 'filter', spellcheck: 'false' },
      ...{ 'aria-label': labels.label, placeholder: labels.placeholder, autocomplete: 'off' },
      ...{ 'aria-describedby': this.problem.id },
    });
    this.matchCase = toggleButton('Aa', (matchCase) => this.set({ matchCase }), {
      ...{ focusKey: 'match case', hint: labels.matchCase },
    });
    this.pattern = toggleButton('.*', (isPattern) => this.set({ isPattern }), {
      ...{ focusKey: 'pattern', hint: labels.usePattern },
    });
    this.matchCase.element.setAttribute('aria-label', labels.matchCase);
    this.pattern.element.setAttribute('aria-label', labels.usePattern);
    this.element = element(
      'div',
      { class: 'filter-box', role: 'search' },
      this.input,
      element('div', { class: 'switches' }, this.matchCase.element, this.pattern.element),
      this.problem,
    );
    this.problem.hidden = true;
    this.problem.setAttribute('role', 'alert');
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('keydown', (event) => this.pressed(event));
    this.show(filter);
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  show(filter: TextFilter): void {
    this.filter = filter;
    if (this.input.value !== filter.text) this.input.value = filter.text;
    this.matchCase.setOn(filter.matchCase);
    this.pattern.setOn(filter.isPattern);
  }

  /** Marks the filter as invalid and shows the reason. */
  setProblem(problem: string | undefined): void {
    this.input.setAttribute('aria-invalid', String(problem !== undefined));
    this.element.classList.toggle('invalid', problem !== undefined);
    this.problem.textContent = problem ?? '';
    this.problem.hidden = problem === undefined;
  }

  /** Applies the typed text without waiting for the debounce. */
  applyTyped(): void {
    if (this.typing !== undefined) this.set({});
  }

  private typed(): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.set({}), TYPING);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === 'Enter') this.set({});
    else if (event.key === 'Escape' && this.input.value !== '') {
      this.input.value = '';
      this.set({});
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private set(change: Partial<TextFilter>): void {
    clearTimeout(this.typing);
    this.typing = undefined;
    this.show({ ...this.filter, text: this.input.value, ...change });
    this.onChange(this.filter);
  }
}

import * as l10n from '@vscode/l10n';
import { type FilterCondition, filterConditions } from '../../../src/shared/query/results';
import { element, toolButton } from '../../ui/elements';
import { countOperands, type NamedFilter } from './filterSet';

export interface EditorOptions {
  /** Prefix for the IDs of the form's elements; unique on the page. */
  readonly id: string;
  /** Returns a column's filter, if it has one. */
  readonly getFilter: (name: string) => NamedFilter | undefined;
  readonly getKind: (name: string) => string | undefined;
  readonly apply: (filter: NamedFilter) => void;
  readonly remove: (name: string) => void;
  readonly closed: () => void;
}

/** Form for editing a column's filter. */
export class FilterEditor {
  readonly element: HTMLElement;
  private readonly column: HTMLSelectElement;
  private readonly condition: HTMLSelectElement;
  private readonly value: HTMLInputElement;
  private readonly upTo: HTMLInputElement;
  private readonly upToField: HTMLElement;
  private readonly valueField: HTMLElement;
  private readonly removing: HTMLButtonElement;
  private readonly errorElement: HTMLElement;

  constructor(private readonly options: EditorOptions) {
    const { id } = options;
    this.column = element('select', { class: 'chart-select' });
    this.condition = element('select', { class: 'chart-select' });
    const names = getConditionNames();
    const conditions = filterConditions.map((value) => element('option', { value }, names[value]));
    this.condition.append(...conditions);
    const described = { 'aria-describedby': `${id}-hint ${id}-fault` };
    const box = { type: 'text', class: 'filter-value', autocomplete: 'off', spellcheck: 'false' };
    this.value = element('input', { ...box, ...described });
    this.upTo = element('input', { ...box, ...described });
    this.valueField = field(l10n.t('Value'), this.value);
    this.upToField = field(l10n.t('Up to'), this.upTo);
    this.errorElement = element('p', { class: 'filter-fault', id: `${id}-fault`, role: 'alert' });
    const tool = (label: string, focusKey: string, onPress: () => void): HTMLButtonElement =>
      toolButton(label, onPress, { focusKey, class: 'bordered' });
    this.removing = tool(l10n.t('Remove'), 'remove filter', () => this.remove());
    this.element = element(
      'section',
      { class: 'filter-editor', 'aria-label': l10n.t('Filter by a column') },
      field(l10n.t('Column'), this.column),
      field(l10n.t('Condition'), this.condition),
      this.valueField,
      this.upToField,
      tool(l10n.t('Apply'), 'apply filter', () => this.apply()),
      this.removing,
      tool(l10n.t('Close'), 'close filter', () => this.close()),
      element(
        'p',
        { class: 'faint', id: `${id}-hint` },
        l10n.t(
          'Numbers are compared by value. Times such as 2026-11-21T12:30 are compared chronologically in UTC, and 2026-11-21 is the whole day. Other text is compared alphabetically, ignoring case.',
        ),
      ),
      this.errorElement,
    );
    this.element.hidden = true;
    this.column.addEventListener('change', () => this.take(this.column.value));
    this.condition.addEventListener('change', () => this.fit());
    this.element.addEventListener('keydown', (event) => this.pressed(event));
  }

  /**
   * @param names names of all columns
   * @param chosen the initially selected column
   */
  open(names: readonly string[], chosen: string): void {
    this.column.replaceChildren(...names.map((name) => element('option', { value: name }, name)));
    this.element.hidden = false;
    this.take(chosen);
    const isReady = countOperands(this.shownCondition) > 0;
    (isReady ? this.value : this.condition).focus();
    this.value.select();
  }

  hide(): void {
    this.element.hidden = true;
  }

  private get shownCondition(): FilterCondition {
    return filterConditions.find((one) => one === this.condition.value) ?? 'contains';
  }

  /** Shows a column's filter in the form. */
  private take(name: string): void {
    const filter = this.options.getFilter(name);
    this.column.value = name;
    this.condition.value = filter?.condition ?? createDefaultCondition(this.options.getKind(name));
    this.value.value = filter?.value ?? '';
    this.upTo.value = filter?.upTo ?? '';
    this.removing.hidden = filter === undefined;
    this.fit();
  }

  private fit(): void {
    const values = countOperands(this.shownCondition);
    this.valueField.hidden = values < 1;
    this.upToField.hidden = values < 2;
    this.errorElement.textContent = '';
  }

  private apply(): void {
    const { value, upTo, shownCondition: condition, options } = this;
    const values = countOperands(condition);
    const boxes = [value, upTo].slice(0, values);
    const missing = boxes.find((box) => box.value.trim() === '');
    if (missing) {
      this.showValidationError(missing, l10n.t('Enter a value to compare with.'));
      return;
    }
    const wrong = boxes.find((box) => isOrdering(condition) && isImpossibleTime(box.value));
    if (wrong) {
      this.showValidationError(
        wrong,
        l10n.t(
          '"{0}" is not a valid time. Use a date or a time, for example 2026-11-21 or 2026-11-21T12:30.',
          wrong.value.trim(),
        ),
      );
      return;
    }
    options.apply({
      name: this.column.value,
      condition,
      value: values > 0 ? value.value : '',
      ...(values > 1 && { upTo: upTo.value }),
    });
    this.close();
  }

  private showValidationError(box: HTMLInputElement, message: string): void {
    this.errorElement.textContent = message;
    box.focus();
  }

  private remove(): void {
    this.options.remove(this.column.value);
    this.close();
  }

  private close(): void {
    this.hide();
    this.options.closed();
  }

  private pressed(event: KeyboardEvent): void {
    const isApplied = event.key === 'Enter' && event.target instanceof HTMLInputElement;
    if (event.isComposing || (!isApplied && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (isApplied) this.apply();
    else this.close();
  }
}

/** Returns the initial condition for a new filter for a column. */
function createDefaultCondition(kind: string | undefined): FilterCondition {
  if (kind === 'time') return 'atLeast';
  return kind === 'number' || kind === 'boolean' ? 'equals' : 'contains';
}

/** Returns true if the condition compares the order of values. Other conditions accept any text. */
function isOrdering(condition: FilterCondition): boolean {
  return /^(?:greater|atLeast|less|atMost|between)$/.test(condition);
}

function field(label: string, control: HTMLElement): HTMLElement {
  return element('label', { class: 'chart-picker' }, element('span', {}, label), control);
}

/** A date, optionally followed by a time of day, in ISO notation; doesn't match `4711-99-1234`. */
const TIME = /^(\d{4}-\d\d-\d\d)(?![\d-])(?:[T ](\d\d:\d\d(?::\d\d)?))?/i;

/** Returns true if the text looks like a date or time that doesn't exist, such as February 30. */
function isImpossibleTime(text: string): boolean {
  const [, day, clock = '00:00'] = TIME.exec(text.trim()) ?? [];
  if (day === undefined) return false;
  const written = `${day}T${clock.padEnd(8, ':00')}.000Z`;
  const time = new Date(written);
  // Browsers parse February 30 as a date in March.
  return Number.isNaN(time.getTime()) || time.toISOString() !== written;
}

/** Returns the names of the conditions. */
function getConditionNames(): Readonly<Record<FilterCondition, string>> {
  return {
    contains: l10n.t('contains'),
    containsNot: l10n.t("doesn't contain"),
    equals: l10n.t('is'),
    equalsNot: l10n.t('is not'),
    greater: l10n.t('is above'),
    atLeast: l10n.t('is at least'),
    less: l10n.t('is below'),
    atMost: l10n.t('is at most'),
    between: l10n.t('is between'),
    empty: l10n.t('is empty'),
    notEmpty: l10n.t('is not empty'),
  };
}

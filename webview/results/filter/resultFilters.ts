import * as l10n from '@vscode/l10n';
import type { ValueColumn } from '../../../src/shared/tables';
import { element, redrawKeepingFocus, textButton, toolButton } from '../../ui/elements';
import type { Arrangement } from '../arrangement';
import type { ResultsContext } from '../resultsContext';
import { FilterEditor } from './filterEditor';
import { FilterSet, type NamedFilter } from './filterSet';

export interface ResultFiltersOptions {
  /** Prefix for the IDs of the filter elements; unique on the page. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  /** Returns the known columns of the result. */
  readonly columns: () => readonly ValueColumn[];
  /**
   * Returns the kind of values in a column, such as `number`, by the column's name; undefined if
   * the kind isn't known yet.
   */
  readonly getKind: (name: string) => string | undefined;
  /** Called when the filters change. */
  readonly onChange: () => void;
  readonly closed: () => void;
}

/** The filters for a result's rows, and the form to edit them. */
export class ResultFilters {
  readonly element: HTMLElement;
  private readonly set: FilterSet;
  private readonly editor: FilterEditor;
  private readonly chips: FilterChips;

  constructor(private readonly options: ResultFiltersOptions) {
    const { id, context, getKind, closed } = options;
    this.set = new FilterSet(context.viewStates);
    this.editor = new FilterEditor({
      id,
      closed,
      getKind,
      getFilter: (name) => this.set.of(name),
      apply: (filter) => this.change(() => this.set.set(filter)),
      remove: (name) => this.change(() => this.set.remove(name)),
    });
    this.chips = new FilterChips({
      change: ({ name }) => this.open(name),
      remove: ({ name }) => this.change(() => this.set.remove(name)),
      clear: () => this.clear(),
    });
    this.element = element('div', { class: 'result-filters' });
    this.element.append(this.chips.element, this.editor.element);
    this.showChips();
  }

  /** Starts showing another result. */
  begin(): void {
    this.editor.hide();
    this.showChips();
  }

  /** Called when more columns become known. Reapplies the filters that refer to these columns. */
  columnsKnown(): void {
    if (this.set.all.length === 0) return;
    this.options.arrangement.setFilters(this.set.among(this.options.columns()));
    this.showChips();
  }

  isFiltered(name: string): boolean {
    return this.set.of(name) !== undefined;
  }

  /**
   * Opens the form to edit a column's filter.
   * @param name the column name; if absent, the form selects one
   */
  open(name?: string): void {
    const own = this.options.columns().map((column) => column.name);
    const names = [...new Set([...own, ...this.set.all.map((filter) => filter.name)])];
    const chosen = name ?? this.set.all[0]?.name ?? names[0];
    if (chosen !== undefined) this.editor.open(names, chosen);
  }

  clear(): void {
    this.change(() => this.set.clear());
  }

  private change(change: () => void): void {
    const hadFocus = this.chips.element.contains(document.activeElement);
    change();
    this.options.arrangement.setFilters(this.set.among(this.options.columns()));
    this.showChips();
    this.options.onChange();
    if (hadFocus && this.set.all.length === 0) this.options.closed();
  }

  private showChips(): void {
    const columns = new Set(this.options.columns().map(({ name }) => name));
    this.chips.show(this.set.all, ({ name }) => columns.size === 0 || columns.has(name));
  }
}

interface ChipActions {
  readonly change: (filter: NamedFilter) => void;
  readonly remove: (filter: NamedFilter) => void;
  readonly clear: () => void;
}

/** A result's filters as text, each with controls to change and remove it. */
class FilterChips {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly clear: HTMLButtonElement;

  constructor(private readonly actions: ChipActions) {
    this.list = element('ul', { 'aria-label': l10n.t('Filters') });
    this.clear = toolButton(l10n.t('Clear Filters'), actions.clear, {
      focusKey: 'clear filters',
      class: 'bordered',
    });
    this.element = element('div', { class: 'filter-chips' }, this.list, this.clear);
    this.element.hidden = true;
  }

  /** @param isUsed returns true if the result has the filter's column */
  show(filters: readonly NamedFilter[], isUsed: (filter: NamedFilter) => boolean): void {
    const chips = filters.map((filter) => this.chip(filter, isUsed(filter)));
    redrawKeepingFocus(
      this.element,
      () => this.list.replaceChildren(...chips),
      // The filter that had focus might have been removed.
      () => this.list.querySelector('button') ?? undefined,
    );
    this.clear.hidden = filters.length < 2;
    this.element.hidden = filters.length === 0;
  }

  private chip(filter: NamedFilter, isUsed: boolean): HTMLElement {
    const { actions } = this;
    const description = describeFilter(filter);
    const text = isUsed ? description : l10n.t('{0} (not in this result)', description);
    const change = textButton(text, () => actions.change(filter), {
      focusKey: `filter ${filter.name}`,
      hint: l10n.t('Change the filter: {0}', description),
    });
    change.dir = 'auto';
    const remove = toolButton('✕', () => actions.remove(filter), {
      focusKey: `remove filter ${filter.name}`,
      hint: l10n.t('Remove the filter: {0}', description),
    });
    remove.setAttribute('aria-label', l10n.t('Remove the filter: {0}', description));
    return element('li', isUsed ? {} : { class: 'faint' }, change, remove);
  }
}

function describeFilter({ name, condition, value, upTo = '' }: NamedFilter): string {
  switch (condition) {
    case 'contains':
      return l10n.t('{0} contains "{1}"', name, value);
    case 'containsNot':
      return l10n.t('{0} doesn\'t contain "{1}"', name, value);
    case 'equals':
      return l10n.t('{0} is "{1}"', name, value);
    case 'equalsNot':
      return l10n.t('{0} is not "{1}"', name, value);
    case 'greater':
      return l10n.t('{0} > {1}', name, value);
    case 'atLeast':
      return l10n.t('{0} ≥ {1}', name, value);
    case 'less':
      return l10n.t('{0} < {1}', name, value);
    case 'atMost':
      return l10n.t('{0} ≤ {1}', name, value);
    case 'between':
      return l10n.t('{0} from {1} to {2}', name, value, upTo);
    case 'empty':
      return l10n.t('{0} is empty', name);
    case 'notEmpty':
      return l10n.t('{0} is not empty', name);
  }
}

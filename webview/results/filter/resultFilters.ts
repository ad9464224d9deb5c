import type { ValueColumn } from '../../../src/shared/tables';
import { element } from '../../ui/elements';
import type { Arrangement } from '../arrangement';
import type { ResultsContext } from '../resultsContext';
import { FilterChips } from './filterChips';
import { FilterEditor } from './filterEditor';
import { FilterSet } from './filterSet';

export interface ResultFiltersOptions {
  /** Begins the ids of what is in it; no other on the page has it. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  /** The columns of the result, as far as they are known. */
  readonly columns: () => readonly ValueColumn[];
  /** The kind of a column's values, such as `number`, by its name; undefined while it is not known. */
  readonly kindOf: (name: string) => string | undefined;
  /** Other filters are wanted. */
  readonly onChange: () => void;
  readonly closed: () => void;
}

/** By what the rows of a result are filtered, and the boxes to say so. */
export class ResultFilters {
  readonly element: HTMLElement;
  private readonly set: FilterSet;
  private readonly editor: FilterEditor;
  private readonly chips: FilterChips;

  constructor(private readonly options: ResultFiltersOptions) {
    const { id, context, kindOf, closed } = options;
    const { filter: strings } = context.strings;
    this.set = new FilterSet(context.kept);
    this.editor = new FilterEditor({
      ...{ id, strings, closed, kindOf, filterOf: (name) => this.set.of(name) },
      apply: (filter) => this.change(() => this.set.set(filter)),
      remove: (name) => this.change(() => this.set.remove(name)),
    });
    this.chips = new FilterChips(strings, {
      change: ({ name }) => this.open(name),
      remove: ({ name }) => this.change(() => this.set.remove(name)),
      clear: () => this.clear(),
    });
    this.element = element('div', { class: 'result-filters' });
    this.element.append(this.chips.element, this.editor.element);
    this.showChips();
  }

  /** Another result is shown. */
  begin(): void {
    this.editor.hide();
    this.showChips();
  }

  /** The result has further columns: those that were filtered before are filtered again. */
  columnsKnown(): void {
    if (this.set.all.length === 0) return;
    this.options.arrangement.setFilters(this.set.among(this.options.columns()));
    this.showChips();
  }

  isFiltered(name: string): boolean {
    return this.set.of(name) !== undefined;
  }

  /** Lets a person say by what a column is filtered. @param name absent: any column */
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

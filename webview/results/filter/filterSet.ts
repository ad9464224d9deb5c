import {
  type FilterCondition,
  filterConditions,
  type ResultFilter,
} from '../../../src/shared/query/results';
import { isListOf, isOneOf, isOptional, isShape, isString } from '../../../src/shared/guards';
import type { ValueColumn } from '../../../src/shared/tables';
import type { ViewStateStore } from '../../ui/createViewStateStore';

/**
 * A column's filter. Columns are identified by name, so the filter also applies to other results.
 */
export interface NamedFilter extends Omit<ResultFilter, 'column'> {
  readonly name: string;
}

const isNamedFilters = isListOf(
  isShape<NamedFilter>({
    name: isString,
    condition: isOneOf(...filterConditions),
    value: isString,
    upTo: isOptional(isString),
  }),
);

/** Key under which the page saves the column filters. */
const STATE_KEY = 'resultFilters';

/**
 * The filters that the user set, one per column. They persist across results and window reloads.
 */
export class FilterSet {
  private filters: readonly NamedFilter[];

  constructor(private readonly viewStates: ViewStateStore) {
    const before = viewStates.get(STATE_KEY);
    this.filters = isNamedFilters(before) ? before : [];
  }

  get all(): readonly NamedFilter[] {
    return this.filters;
  }

  of(name: string): NamedFilter | undefined {
    return this.filters.find((filter) => filter.name === name);
  }

  /** Sets a column's filter and replaces its previous filter. */
  set(filter: NamedFilter): void {
    const isNew = this.of(filter.name) === undefined;
    const others = this.filters.map((one) => (one.name === filter.name ? filter : one));
    this.saveFilters(isNew ? [...this.filters, filter] : others);
  }

  remove(name: string): void {
    this.saveFilters(this.filters.filter((filter) => filter.name !== name));
  }

  clear(): void {
    this.saveFilters([]);
  }

  /**
   * Returns the filters whose column exists in a result, in the format that the result's host
   * expects.
   */
  among(columns: readonly ValueColumn[]): readonly ResultFilter[] {
    return this.filters.flatMap(({ name, ...filter }) => {
      const column = columns.find((one) => one.name === name);
      return column ? [{ ...filter, column: column.id }] : [];
    });
  }

  private saveFilters(filters: readonly NamedFilter[]): void {
    this.filters = filters;
    this.viewStates.set(STATE_KEY, filters.length > 0 ? filters : undefined);
  }
}

/** Returns the number of values that a condition compares with. */
export function countOperands(condition: FilterCondition): 0 | 1 | 2 {
  if (condition === 'empty' || condition === 'notEmpty') return 0;
  return condition === 'between' ? 2 : 1;
}

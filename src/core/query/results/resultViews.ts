import { inSlices } from '../../../base/slices';
import { SortKeys } from '../../data/tables/sortKeys';
import { BsonPath } from './bson/bsonPath';
import { type ColumnFilter, RowFilter } from './filter/rowFilter';
import { RowFinder } from './rowFinder';
import type { ResultTable } from './resultTable';

/** Arranged views that are kept: their places take four bytes for each row. */
const MOST_KEPT = 2;

/** Which rows of a result are seen, in which order. */
export interface RowsView {
  /** Absent: in the order in which they came. */
  readonly sort?: { readonly column: number; readonly descending: boolean } | undefined;
  /** Rows that have this text in some cell, whatever the case of its letters. */
  readonly find?: string | undefined;
  /** Rows that are as all of these say. */
  readonly filters?: readonly ColumnFilter[] | undefined;
}

/** Whether a view has all rows, in the order in which they came. */
export function isPlain({ sort, find = '', filters = [] }: RowsView): boolean {
  return !sort && find === '' && filters.length === 0;
}

/** How many rows a view has. */
interface ArrangedRows {
  readonly rows: number;
  /** Among how many that had come. */
  readonly among: number;
}

/** Rows in the order of a view, among those that had come. */
interface Arrangement {
  readonly places: Uint32Array;
  /** How many rows there were. */
  readonly among: number;
}

/** The rows of a result in other orders, those with a text, and those that filters let through. */
export class ResultViews {
  private readonly kept = new Map<string, Arrangement>();

  constructor(private readonly table: ResultTable) {}

  /** Arranges the rows that there are now. @throws the signal's reason when it is aborted. */
  async arrange(view: RowsView, signal: AbortSignal): Promise<ArrangedRows> {
    const { count } = this.table.store;
    if (isPlain(view)) return { rows: count, among: count };
    const { places, among } = await this.arranged(view, signal, count);
    return { rows: places.length, among };
  }

  /** How many rows a view has; of one that was arranged, as it was then. */
  async count(view: RowsView, signal: AbortSignal): Promise<number> {
    return isPlain(view)
      ? this.table.store.count
      : (await this.arranged(view, signal)).places.length;
  }

  /** Where rows of a view are in the result; of a view that was arranged, as it was then. */
  async places(
    view: RowsView,
    start: number,
    end: number,
    signal: AbortSignal,
  ): Promise<Uint32Array> {
    if (isPlain(view)) {
      const last = Math.min(end, this.table.store.count);
      const length = Math.max(0, last - start);
      return Uint32Array.from({ length }, (_, index) => start + index);
    }
    return (await this.arranged(view, signal)).places.subarray(start, end);
  }

  /** @param among how many rows it must have been made of; absent: as many as there were */
  private async arranged(
    view: RowsView,
    signal: AbortSignal,
    among?: number,
  ): Promise<Arrangement> {
    const { sort, find, filters } = view;
    const key = JSON.stringify([sort?.column, sort?.descending, find, filters]);
    const known = this.kept.get(key);
    if (known && (among === undefined || known.among === among)) return known;
    const made = await this.make(view, signal);
    this.kept.delete(key);
    this.kept.set(key, made);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return made;
  }

  private async make(view: RowsView, signal: AbortSignal): Promise<Arrangement> {
    const { sort, find, filters = [] } = view;
    const among = this.table.store.count;
    const finder = find === undefined || find === '' ? undefined : new RowFinder(this.table, find);
    const filter = new RowFilter(this.table, filters);
    const path = sort && new BsonPath(this.table.columns[sort.column]?.path ?? []);
    const keys = new SortKeys();
    const found: number[] = [];
    for await (const stretch of this.table.store.stretches(0, among, signal)) {
      stretch.starts.forEach((start, index) => {
        if (!filter.isMet(stretch.bytes, start)) return;
        if (finder && !finder.isIn(stretch, index)) return;
        found.push(stretch.first + index);
        if (path) keys.add(path.valueIn(stretch.bytes, start));
      });
    }
    if (!sort) return { places: new Uint32Array(found), among };
    const order = await inSlices(keys.order(sort.descending), signal);
    return { places: order.map((index) => found[index] ?? 0), among };
  }
}

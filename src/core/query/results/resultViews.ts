import type { Buffer } from 'node:buffer';
import { inSlices } from '../../../base/slices';
import { SortKeys } from '../../data/tables/sortKeys';
import { BsonPath, readDataValue } from './bson/bsonValue';
import type { ResultTable } from './resultTable';
import { type CellCondition, type CellTest, cellTest } from './cellTest';
import { formatPlainValue } from '../../data/tables/formatCell';
import { BSON, type BsonElements } from './bson/bsonElements';
import type { RowChunk } from './rowStore';

/** Maximum number of cached views. A view's row indexes require four bytes per row. */
const MAX_CACHED_VIEWS = 2;

/** Filter and order for the rows in a result. */
export interface RowsView {
  /** Sort order; absent for the order of arrival. */
  readonly sort?: { readonly column: number; readonly descending: boolean } | undefined;
  /** Text that at least one cell in a row must contain, ignoring case. */
  readonly find?: string | undefined;
  /** Filters; a row must match all of them. */
  readonly filters?: readonly ColumnFilter[] | undefined;
}

/** Returns true if a view contains all rows in their order of arrival. */
export function isPlain({ sort, find = '', filters = [] }: RowsView): boolean {
  return !sort && find === '' && filters.length === 0;
}

/** Number of rows in a view. */
interface ArrangedRows {
  readonly rows: number;
  /** Number of rows in the result when the view was computed. */
  readonly among: number;
}

/** Row indexes in a view, computed from the rows that the result had at that time. */
interface ResultView {
  readonly rowIndexes: Uint32Array;
  /** Number of rows in the result when the view was computed. */
  readonly among: number;
}

/** Sorted and filtered views of a result's rows. */
export class ResultViews {
  private readonly cached = new Map<string, ResultView>();

  constructor(private readonly table: ResultTable) {}

  /** Computes a view of the result's current rows. @throws the signal's reason when it aborts. */
  async arrange(view: RowsView, signal: AbortSignal): Promise<ArrangedRows> {
    const { count } = this.table.store;
    if (isPlain(view)) return { rows: count, among: count };
    const { rowIndexes, among } = await this.arranged(view, signal, count);
    return { rows: rowIndexes.length, among };
  }

  /**
   * Returns the number of rows in a view. For a cached view, returns the number at the time when
   * the view was computed.
   */
  async count(view: RowsView, signal: AbortSignal): Promise<number> {
    return isPlain(view)
      ? this.table.store.count
      : (await this.arranged(view, signal)).rowIndexes.length;
  }

  /**
   * Returns the row indexes in a range of a view. For a cached view, returns the indexes at the
   * time when the view was computed.
   */
  async toRowIndexes(
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
    return (await this.arranged(view, signal)).rowIndexes.subarray(start, end);
  }

  /**
   * @param among number of result rows that the view must be based on; absent to accept any number
   */
  private async arranged(view: RowsView, signal: AbortSignal, among?: number): Promise<ResultView> {
    const { sort, find, filters } = view;
    const key = JSON.stringify([sort?.column, sort?.descending, find, filters]);
    const known = this.cached.get(key);
    if (known && (among === undefined || known.among === among)) return known;
    const made = await this.make(view, signal);
    this.cached.delete(key);
    this.cached.set(key, made);
    const [oldest] = this.cached.keys();
    if (this.cached.size > MAX_CACHED_VIEWS && oldest !== undefined) this.cached.delete(oldest);
    return made;
  }

  private async make(view: RowsView, signal: AbortSignal): Promise<ResultView> {
    const { sort, find, filters = [] } = view;
    const among = this.table.store.count;
    const finder = find === undefined || find === '' ? undefined : new RowFinder(this.table, find);
    const filter = new RowFilter(this.table, filters);
    const path = sort && new BsonPath(this.table.columns[sort.column]?.path ?? []);
    const keys = new SortKeys();
    const found: number[] = [];
    for await (const chunk of this.table.store.readChunks(0, among, signal)) {
      chunk.starts.forEach((start, index) => {
        if (!filter.isMet(chunk.bytes, start)) return;
        if (finder && !finder.isIn(chunk, index)) return;
        found.push(chunk.first + index);
        if (path) keys.add(path.valueIn(chunk.bytes, start));
      });
    }
    if (!sort) return { rowIndexes: new Uint32Array(found), among };
    const order = await inSlices(keys.order(sort.descending), signal);
    return { rowIndexes: order.map((index) => found[index] ?? 0), among };
  }
}

/** Filter for a column's values. */
interface ColumnFilter extends CellCondition {
  /** Index of the column. */
  readonly column: number;
}

/** Tests rows against a list of filters, which must all match. */
class RowFilter {
  private readonly tests: readonly { readonly path: BsonPath; readonly test: CellTest }[];

  constructor({ columns }: ResultTable, filters: readonly ColumnFilter[]) {
    this.tests = filters.map((filter) => ({
      path: new BsonPath(columns[filter.column]?.path ?? []),
      test: cellTest(filter),
    }));
  }

  /** Returns true if a row matches all filters. @param start the row's offset in the bytes */
  isMet(bytes: Buffer, start: number): boolean {
    return this.tests.every(({ path, test }) => test(path.valueIn(bytes, start)));
  }
}

/** Characters that occur in numbers, including NaN and Infinity. */
const OF_NUMBERS = /^[\d.einfaty+-]+$/;
const NUMBERS: readonly number[] = [BSON.double, BSON.int32, BSON.int64, BSON.decimal];

/** Maximum length in bytes of cached strings. Longer strings rarely recur in consecutive rows. */
const MAX_CACHED_BYTES = 64;

/** A string's bytes, and the result of searching it. */
interface CachedMatch {
  readonly bytes: Uint8Array;
  readonly isFound: boolean;
}

/** Finds rows that contain the search text in any cell, ignoring case. */
class RowFinder {
  private readonly text: string;
  private readonly mightBeNumber: boolean;
  /**
   * Most recent string in each column. Cached because most rows repeat the IDs and names from the
   * previous row.
   */
  private readonly cachedMatches: CachedMatch[] = [];

  constructor(
    private readonly table: ResultTable,
    text: string,
  ) {
    this.text = text.toLowerCase();
    this.mightBeNumber = OF_NUMBERS.test(this.text);
  }

  /** Returns true if a row in a chunk contains the text. */
  isIn(chunk: RowChunk, index: number): boolean {
    let isFound = false;
    this.table.readRow(chunk, index, (column, element) => {
      isFound ||= this.isInCell(column, element);
    });
    return isFound;
  }

  private isInCell(column: number, element: BsonElements): boolean {
    if (element.type === BSON.string) return this.isInText(column, element);
    if (!this.mightBeNumber && NUMBERS.includes(element.type)) return false;
    return this.isInValue(element);
  }

  private isInText(column: number, element: BsonElements): boolean {
    const { bytes, valueStart, valueEnd } = element;
    const before = this.cachedMatches[column];
    if (before && isSame(before.bytes, bytes, valueStart, valueEnd)) return before.isFound;
    const isFound = this.isInValue(element);
    if (valueEnd - valueStart <= MAX_CACHED_BYTES) {
      // Copies the bytes, because a reference to a few bytes would keep the whole chunk in memory.
      const copy = Uint8Array.from(bytes.subarray(valueStart, valueEnd));
      this.cachedMatches[column] = { bytes: copy, isFound };
    }
    return isFound;
  }

  private isInValue(element: BsonElements): boolean {
    return formatPlainValue(readDataValue(element)).toLowerCase().includes(this.text);
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at += 1) {
    if (known[at] !== bytes[start + at]) return false;
  }
  return true;
}

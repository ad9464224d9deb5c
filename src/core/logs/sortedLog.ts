import { compareItems, type ItemPosition, type LogItem, type LogOrder } from './logItem';

/** More moves of one insertion than this are told as one. */
const MAX_MOVES = 64;

/** Anyone who is told of more moves than this at once is told that everything may be different. */
const MAX_WAITING_MOVES = 1_000;

/** Rows at `at` and after it have moved by `by` places. */
export interface Move {
  readonly at: number;
  readonly by: number;
}

/** What has changed since somebody last asked. */
export interface LogChanges {
  /** The place of the oldest item, and that after the newest. */
  readonly first: number;
  readonly end: number;
  /** In the order in which they happened; a move by 0 says that what stands there looks different. */
  readonly moves: readonly Move[];
  /** Everything may be different. */
  readonly reset: boolean;
}

/**
 * Items in order, by default of time. Each has a place, a whole number that may be below 0: it stays the same
 * when items are added or taken away at the ends, so that anyone who shows a part of a long log knows
 * what is where.
 */
export class SortedLog {
  private items: LogItem[] = [];
  private order: LogOrder = 'time';
  private first = 0;
  private moves: Move[] = [];
  private wasReset = false;

  get length(): number {
    return this.items.length;
  }

  get oldest(): LogItem | undefined {
    return this.items[0];
  }

  get newest(): LogItem | undefined {
    return this.items.at(-1);
  }

  /** All items, oldest first; the array is a copy. */
  all(): LogItem[] {
    return this.items.slice();
  }

  /** Items by their places, as far as they are there. */
  slice(start: number, end: number): { readonly start: number; readonly items: LogItem[] } {
    const from = Math.max(start - this.first, 0);
    const items = this.items.slice(from, Math.max(end - this.first, from));
    return { start: from + this.first, items };
  }

  /** An item by its key alone. */
  byKey(key: number): LogItem | undefined {
    return this.items.find((item) => item.key === key);
  }

  /** Items of a stretch of time; the end is left out. */
  between(startMicros: number, endMicros: number): LogItem[] {
    return this.items.slice(this.indexAt(startMicros), this.indexAt(endMicros));
  }

  /** The place of the first item at or after a time; that after the newest when there is none. */
  placeAt(micros: number): number {
    return this.first + this.indexAt(micros);
  }

  /** The item itself, when it is in here. */
  find(item: ItemPosition): LogItem | undefined {
    const found = this.items[this.indexOf(item)];
    return found?.key === item.key ? found : undefined;
  }

  /** Takes in items, which are in order among themselves. */
  insert(added: readonly LogItem[]): void {
    const [head] = added;
    const last = added.at(-1);
    if (head === undefined || last === undefined) return;
    const { oldest, newest } = this;
    if (newest === undefined || compareItems(newest, head, this.order) < 0) {
      for (const item of added) this.items.push(item);
    } else if (oldest && compareItems(last, oldest, this.order) < 0) {
      this.items = [...added, ...this.items];
      this.first -= added.length;
    } else {
      this.merge(added, this.indexOf(head));
    }
  }

  /** Leaves out the oldest items, and tells which they were. */
  dropFirst(count: number): LogItem[] {
    const dropped = this.items.splice(0, count);
    this.first += dropped.length;
    return dropped;
  }

  /** Removes all items that are not wanted. */
  removeWhere(isUnwanted: (item: LogItem) => boolean): void {
    const kept: LogItem[] = [];
    const moves: Move[] = [];
    let run = 0;
    const endRun = (): void => {
      if (kept.length === 0) this.first += run;
      else if (run > 0) moves.push({ at: this.first + kept.length, by: -run });
      run = 0;
    };
    for (const item of this.items) {
      if (isUnwanted(item)) {
        run += 1;
        continue;
      }
      endRun();
      kept.push(item);
    }
    endRun();
    this.items = kept;
    this.noteMoves(joined(moves));
  }

  /** Puts an item in the place of one with the same key and time. */
  replace(item: LogItem): void {
    const index = this.indexOf(item);
    if (this.items[index]?.key !== item.key) return;
    this.items[index] = item;
    this.noteMoves([{ at: this.first + index, by: 0 }]);
  }

  /** Takes an item out. */
  remove(item: ItemPosition): void {
    const index = this.indexOf(item);
    if (this.items[index]?.key !== item.key) return;
    this.items.splice(index, 1);
    this.noteMoves([{ at: this.first + index, by: -1 }]);
  }

  /** Holds other items from now on, which are in this order. */
  reset(items: LogItem[], order = this.order): void {
    this.items = items;
    this.order = order;
    this.first = 0;
    this.moves = [];
    this.wasReset = true;
  }

  /** What has changed since the last time. */
  takeChanges(): LogChanges {
    const { first, moves, wasReset: reset } = this;
    this.moves = [];
    this.wasReset = false;
    return { first, end: first + this.items.length, moves, reset };
  }

  private merge(added: readonly LogItem[], from: number): void {
    const moves: Move[] = [];
    const after = this.items.splice(from);
    let next = 0;
    for (const item of after) {
      const end = countBefore(added, item, this.order, next);
      if (end > next) {
        moves.push({ at: this.first + this.items.length, by: end - next });
        for (; next < end; next += 1) this.take(added[next]);
      }
      this.items.push(item);
    }
    for (; next < added.length; next += 1) this.take(added[next]);
    this.noteMoves(joined(moves));
  }

  /** Moves stay few also when nobody asks: as one they would be exact only before and after all of them. */
  private noteMoves(moves: readonly Move[]): void {
    if (this.wasReset) return;
    this.moves.push(...moves);
    if (this.moves.length <= MAX_WAITING_MOVES) return;
    this.moves = [];
    this.wasReset = true;
  }

  private take(item: LogItem | undefined): void {
    if (item) this.items.push(item);
  }

  /** The index of the first item that is not before another one. */
  private indexOf(wanted: ItemPosition): number {
    return countBefore(this.items, wanted, this.order);
  }

  private indexAt(micros: number): number {
    return this.indexOf({ micros, key: -Infinity });
  }
}

/**
 * How many of these items, which are in order, stand before another one.
 * @param known so many are known to.
 */
function countBefore(
  items: readonly LogItem[],
  wanted: ItemPosition,
  order: LogOrder,
  known = 0,
): number {
  let low = known;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item && compareItems(item, wanted, order) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Many small moves as one, which is exact for all rows before and after them. */
function joined(moves: readonly Move[]): readonly Move[] {
  const [head] = moves;
  if (head === undefined || moves.length <= MAX_MOVES) return moves;
  const at = moves.reduce((lowest, move) => Math.min(lowest, move.at), head.at);
  return [{ at, by: moves.reduce((sum, { by }) => sum + by, 0) }];
}

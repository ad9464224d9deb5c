import { compareItems, type ItemPosition, type LogItem, type LogOrder } from './logItem';

/** Maximum number of moves for one insertion. Additional moves are combined. */
const MAX_MOVES = 64;

/**
 * Maximum number of pending moves. If there are more, the listener must treat everything as
 * changed.
 */
const MAX_WAITING_MOVES = 1_000;

/** Shift of the rows starting at `at` by `by` positions. */
export interface Move {
  readonly at: number;
  readonly by: number;
}

/** Changes since the last call. */
export interface LogChanges {
  /** Position of the oldest item, and the position after the newest item. */
  readonly first: number;
  readonly end: number;
  /**
   * Moves in the order in which they occurred. A move by 0 means that the appearance of the item at
   * that position has changed.
   */
  readonly moves: readonly Move[];
  /** True if everything might have changed. */
  readonly reset: boolean;
}

/**
 * Sorted items, by default sorted by time. Each item has a position, which is an integer that can
 * be negative. Positions don't change when items are added or removed at the ends, so that a view
 * of a section of a long log remains consistent.
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

  /** Returns a copy of all items, oldest first. */
  all(): LogItem[] {
    return this.items.slice();
  }

  /** Returns the available items in a position range. */
  slice(start: number, end: number): { readonly start: number; readonly items: LogItem[] } {
    const from = Math.max(start - this.first, 0);
    const items = this.items.slice(from, Math.max(end - this.first, from));
    return { start: from + this.first, items };
  }

  /** Returns the item with the given key. */
  byKey(key: number): LogItem | undefined {
    return this.items.find((item) => item.key === key);
  }

  /** Returns the items in a time range. The end is exclusive. */
  between(startMicros: number, endMicros: number): LogItem[] {
    return this.items.slice(this.indexAt(startMicros), this.indexAt(endMicros));
  }

  /**
   * Returns the position of the first item at or after a given time. If there is none, returns the
   * position after the newest item.
   */
  positionAt(micros: number): number {
    return this.first + this.indexAt(micros);
  }

  /** Returns the item with this position and key; undefined if the log doesn't contain it. */
  find(item: ItemPosition): LogItem | undefined {
    const found = this.items[this.indexOf(item)];
    return found?.key === item.key ? found : undefined;
  }

  /** Adds items, which must be sorted. */
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

  /** Removes the oldest items and returns them. */
  dropFirst(count: number): LogItem[] {
    const dropped = this.items.splice(0, count);
    this.first += dropped.length;
    return dropped;
  }

  /** Removes all items that match. */
  removeWhere(shouldRemove: (item: LogItem) => boolean): void {
    const remaining: LogItem[] = [];
    const moves: Move[] = [];
    let run = 0;
    const endRun = (): void => {
      if (remaining.length === 0) this.first += run;
      else if (run > 0) moves.push({ at: this.first + remaining.length, by: -run });
      run = 0;
    };
    for (const item of this.items) {
      if (shouldRemove(item)) {
        run += 1;
        continue;
      }
      endRun();
      remaining.push(item);
    }
    endRun();
    this.items = remaining;
    this.noteMoves(joined(moves));
  }

  /** Replaces the item with the same key and time. */
  replace(item: LogItem): void {
    const index = this.indexOf(item);
    if (this.items[index]?.key !== item.key) return;
    this.items[index] = item;
    this.noteMoves([{ at: this.first + index, by: 0 }]);
  }

  /** Removes an item. */
  remove(item: ItemPosition): void {
    const index = this.indexOf(item);
    if (this.items[index]?.key !== item.key) return;
    this.items.splice(index, 1);
    this.noteMoves([{ at: this.first + index, by: -1 }]);
  }

  /** Replaces all items with new items, which must already be in the given order. */
  reset(items: LogItem[], order = this.order): void {
    this.items = items;
    this.order = order;
    this.first = 0;
    this.moves = [];
    this.wasReset = true;
  }

  /** Returns the changes since the last call. */
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

  /**
   * Records moves, and limits their number in case no one reads them. Combining all moves into one
   * isn't sufficient, because the combined move would be exact only for rows before and after the
   * entire affected range.
   */
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

  /** Returns the index of the first item that is not before the given item. */
  private indexOf(position: ItemPosition): number {
    return countBefore(this.items, position, this.order);
  }

  private indexAt(micros: number): number {
    return this.indexOf({ micros, key: -Infinity });
  }
}

/**
 * Returns the number of sorted items that are before a given item.
 * @param known number of items that are known to be before it.
 */
function countBefore(
  items: readonly LogItem[],
  position: ItemPosition,
  order: LogOrder,
  known = 0,
): number {
  let low = known;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item && compareItems(item, position, order) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Combines many small moves into one. The combined move is exact only for rows before and after the
 * entire affected range.
 */
function joined(moves: readonly Move[]): readonly Move[] {
  const [head] = moves;
  if (head === undefined || moves.length <= MAX_MOVES) return moves;
  const at = moves.reduce((lowest, move) => Math.min(lowest, move.at), head.at);
  return [{ at, by: moves.reduce((sum, { by }) => sum + by, 0) }];
}

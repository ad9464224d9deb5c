import { compareItems, countLines, type LogItem, type LogOrder } from './logItem';

/** Buffer for items that arrive while the view is paused. */
export class PausedBuffer {
  private items: LogItem[] = [];
  private lineCount = 0;

  /** Number of buffered lines. Tracked separately, because every change reports it. */
  get lines(): number {
    return this.lineCount;
  }

  add(items: readonly LogItem[]): void {
    for (const item of items) this.items.push(item);
    this.lineCount += countLines(items);
  }

  /** Removes items that are no longer needed. */
  retain(isWanted: (item: LogItem) => boolean): void {
    this.items = this.items.filter(isWanted);
    this.lineCount = countLines(this.items);
  }

  /** Replaces the item with the same key. */
  replace(item: LogItem): void {
    this.items = this.items.map((one) => (one.key === item.key ? item : one));
  }

  /** Keys of all items. */
  get keys(): ReadonlySet<number> {
    return new Set(this.items.map(({ key }) => key));
  }

  /** Removes all items and returns them in the order of a log. */
  take(order: LogOrder = 'time'): readonly LogItem[] {
    const taken = this.items.sort((a, b) => compareItems(a, b, order));
    this.clear();
    return taken;
  }

  clear(): void {
    this.items = [];
    this.lineCount = 0;
  }
}

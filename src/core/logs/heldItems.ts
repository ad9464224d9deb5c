import { compareItems, countLines, type LogItem, type LogOrder } from './logItem';

/** What came while rows stand still, for when they go on. */
export class HeldItems {
  private items: LogItem[] = [];
  private lineCount = 0;

  /** How many lines are held. It is told with every change, so they are not counted each time. */
  get lines(): number {
    return this.lineCount;
  }

  add(items: readonly LogItem[]): void {
    for (const item of items) this.items.push(item);
    this.lineCount += countLines(items);
  }

  /** Leaves out what is not wanted any more. */
  keep(isWanted: (item: LogItem) => boolean): void {
    this.items = this.items.filter(isWanted);
    this.lineCount = countLines(this.items);
  }

  /** Puts an item in the place of the one with its key. */
  replace(item: LogItem): void {
    this.items = this.items.map((one) => (one.key === item.key ? item : one));
  }

  /** The keys of all items. */
  get keys(): ReadonlySet<number> {
    return new Set(this.items.map(({ key }) => key));
  }

  /** Hands all over in the order of a log. */
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

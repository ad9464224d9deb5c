import type { PartId } from '../model/ids';
import {
  compareItems,
  countLines,
  type LogItem,
  type LogOrder,
  type PassingItems,
  PatternTooSlowError,
} from './logItem';
import { type LogChanges, SortedLog } from './sortedLog';

/** Number of items to process before yielding to the event loop. */
const SLICE = 20_000;

/** Yields to the event loop. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Filtered view of a buffer. Starts at the horizon, which is the time from which all parts' lines
 * are loaded. Also shows live lines whose timestamps are before all loaded lines of their part.
 */
export class LogView {
  private readonly shown = new SortedLog();
  /** Items that arrived while the view is paused. */
  private readonly buffered = new PausedBuffer();
  /** Items that arrived while a new filter is being applied. */
  private arrived: (readonly LogItem[])[] = [];
  private build: object | undefined;
  private isPaused = false;
  private horizon = Infinity;
  private currentOrder: LogOrder = 'time';
  /** Filter without its text. Used when matching the text takes too long. */
  private withoutText: PassingItems;

  constructor(
    private readonly buffer: SortedLog,
    private passing: PassingItems,
    private readonly yieldToEventLoop: YieldToEventLoop,
    private readonly gaveUp: () => void,
    /** Returns true if an item must be shown although it is before the horizon. */
    private readonly isEarly: (item: LogItem) => boolean,
  ) {
    this.withoutText = passing;
  }

  get paused(): boolean {
    return this.isPaused;
  }

  /** True while a new filter is being applied. */
  get filtering(): boolean {
    return this.build !== undefined;
  }

  /** Number of lines that arrived while the view is paused. */
  get bufferedLines(): number {
    return this.buffered.lines;
  }

  get rows(): Pick<SortedLog, 'length' | 'all' | 'byKey' | 'slice' | 'positionAt'> {
    return this.shown;
  }

  get order(): LogOrder {
    return this.currentOrder;
  }

  setOrder(order: LogOrder): void {
    if (order === this.currentOrder) return;
    this.currentOrder = order;
    this.shown.reset(this.inOrder(this.shown.all()), order);
  }

  /** Returns the changes since the last call. */
  takeChanges(): LogChanges {
    return this.shown.takeChanges();
  }

  /** Pauses the view, or resumes it with the items that arrived during the pause. */
  setPaused(paused: boolean): void {
    this.isPaused = paused;
    if (!paused) this.shown.insert(this.buffered.take(this.order));
  }

  /**
   * Handles items that were added to the buffer. Items that the user requested are shown even while
   * the view is paused.
   */
  added(items: readonly LogItem[], { isRequested = false } = {}): void {
    if (this.build) this.arrived.push(items);
    const visible = this.filterItems(this.inView(items));
    if (this.isPaused && !isRequested) this.buffered.add(visible);
    else this.shown.insert(this.inOrder(visible));
  }

  /** Updates the view after the oldest items are dropped from the buffer. */
  dropped(): void {
    this.shown.removeWhere((item) => !this.isRetained(item));
    this.buffered.retain((item) => this.isRetained(item));
  }

  /** Updates the view after an item in the buffer is replaced. */
  onReplaced(item: LogItem): void {
    this.shown.replace(item);
    this.buffered.replace(item);
  }

  /** Updates the view after an item was removed from the buffer. */
  removed(item: LogItem): void {
    this.shown.remove(item);
    this.buffered.retain(({ key }) => key !== item.key);
  }

  /** Updates the view after a part's lines, but not its gaps, are removed from the buffer. */
  removedPart(part: PartId): void {
    const stays = (item: LogItem): boolean => item.kind === 'gap' || item.part !== part;
    this.buffered.retain(stays);
    this.arrived = this.arrived.map((items) => items.filter(stays));
    this.shown.reset(this.shown.all().filter(stays));
  }

  /** Sets the time, in microseconds since 1970, from which lines are shown. */
  setHorizon(micros: number): void {
    const before = this.horizon;
    this.horizon = micros;
    if (micros > before) this.shown.removeWhere((item) => !this.isInView(item));
    if (micros >= before) return;
    const bufferedKeys = this.buffered.keys;
    const newItems = this.inView(this.buffer.between(-Infinity, before)).filter(
      (item) => !bufferedKeys.has(item.key) && !this.shown.find(item),
    );
    this.shown.insert(this.inOrder(this.filterItems(newItems)));
  }

  /**
   * Applies a new filter to the whole buffer. A newer filter cancels an older one.
   * @param withoutText the same filter without its text.
   * @throws PatternTooSlowError; the previous filter then remains active.
   */
  async setFilter(passing: PassingItems, withoutText: PassingItems): Promise<void> {
    const build = {};
    this.build = build;
    this.arrived = [];
    try {
      const passed = await this.passed(passing, () => this.build === build);
      if (this.build !== build) return;
      const { arrived } = this;
      this.passing = passing;
      this.withoutText = withoutText;
      const late = arrived.map((items) =>
        this.filterItems(this.inView(items.flatMap((item) => this.asItIsNow(item)))),
      );
      this.buffered.clear();
      this.shown.reset(this.inOrder(this.inView(passed).flatMap((item) => this.asItIsNow(item))));
      for (const items of late) this.shown.insert(this.inOrder(items));
    } finally {
      if (this.build === build) this.build = undefined;
    }
  }

  /** Removes all items. */
  clear(): void {
    this.buffered.clear();
    this.arrived = [];
    this.shown.reset([]);
  }

  private async passed(passing: PassingItems, goesOn: () => boolean): Promise<LogItem[]> {
    const items = this.buffer.all();
    const passed: LogItem[] = [];
    for (let start = 0; start < items.length && goesOn(); start += SLICE) {
      for (const item of passing(items.slice(start, start + SLICE))) passed.push(item);
      await this.yieldToEventLoop();
    }
    return passed;
  }

  /**
   * Applies the filter. A regular expression can take too long for a newly arrived line. In that
   * case, similar lines will probably follow, and each of them would delay the display. The
   * filter's text is then ignored, because showing too many lines is better than losing lines.
   */
  private filterItems(items: readonly LogItem[]): readonly LogItem[] {
    try {
      return this.passing(items);
    } catch (error) {
      if (!(error instanceof PatternTooSlowError)) throw error;
      this.passing = this.withoutText;
      this.gaveUp();
      return this.passing(items);
    }
  }

  private inView(items: readonly LogItem[]): readonly LogItem[] {
    return items.filter((item) => this.isInView(item));
  }

  private isInView(item: LogItem): boolean {
    return item.micros >= this.horizon || this.isEarly(item);
  }

  /** Sorts items that are in time order into this view's order. */
  private inOrder(items: readonly LogItem[]): LogItem[] {
    return items.toSorted((a, b) => compareItems(a, b, this.order));
  }

  /**
   * Returns the current state of an item that was filtered earlier. Since then, the item might have
   * been removed, or a gap might have been filled.
   */
  private asItIsNow(item: LogItem): readonly LogItem[] {
    if (!this.isRetained(item)) return [];
    const now = this.buffer.find(item);
    return now ? [now] : [];
  }

  private isRetained(item: LogItem): boolean {
    const { oldest } = this.buffer;
    return oldest !== undefined && compareItems(item, oldest) >= 0;
  }
}

/** Buffer for items that arrive while the view is paused. */
export class PausedBuffer {
  private items: LogItem[] = [];
  private lineCount = 0;

  /** Number of buffered lines. Tracked separately, because it is reported with every change. */
  get lines(): number {
    return this.lineCount;
  }

  add(items: readonly LogItem[]): void {
    for (const item of items) this.items.push(item);
    this.lineCount += countLines(items);
  }

  /** Removes items that are no longer needed. */
  retain(isRetained: (item: LogItem) => boolean): void {
    this.items = this.items.filter(isRetained);
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

  /** Removes all items and returns them in log order. */
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

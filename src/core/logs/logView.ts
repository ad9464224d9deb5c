import type { PartId } from '../model/ids';
import { HeldItems } from './heldItems';
import { type PassingItems, PatternTooSlow } from './lineFilter';
import { compareItems, type LogItem, type LogOrder } from './logItem';
import { type LogChanges, SortedLog } from './sortedLog';

/** Items that are looked at before others get a turn. */
const SLICE = 20_000;

/** Lets others have a turn. */
export type GiveWay = () => Promise<void>;

/**
 * What of a buffer passes the filter, from the horizon on: that is where all parts are loaded. What came live
 * and is dated before everything that is loaded of its part is shown as well.
 */
export class LogView {
  private readonly shown = new SortedLog();
  /** What came while the view stands still. */
  private readonly held = new HeldItems();
  /** What came while another filter is being applied. */
  private arrived: (readonly LogItem[])[] = [];
  private build: object | undefined;
  private isPaused = false;
  private horizon = Infinity;
  private currentOrder: LogOrder = 'time';
  /** What passes once the text of the filter takes too long. */
  private withoutText: PassingItems;

  constructor(
    private readonly buffer: SortedLog,
    private passing: PassingItems,
    private readonly giveWay: GiveWay,
    private readonly gaveUp: () => void,
    /** Whether an item is shown although it is before the horizon. */
    private readonly isEarly: (item: LogItem) => boolean,
  ) {
    this.withoutText = passing;
  }

  get paused(): boolean {
    return this.isPaused;
  }

  /** Another filter is being applied. */
  get filtering(): boolean {
    return this.build !== undefined;
  }

  /** How many lines came while the view stands still. */
  get heldLines(): number {
    return this.held.lines;
  }

  get rows(): Pick<SortedLog, 'length' | 'all' | 'byKey' | 'slice' | 'placeAt'> {
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

  /** What has changed since the last time. */
  takeChanges(): LogChanges {
    return this.shown.takeChanges();
  }

  /** Stands still, or goes on with what came in the meantime. */
  setPaused(paused: boolean): void {
    this.isPaused = paused;
    if (!paused) this.shown.insert(this.held.take(this.order));
  }

  /** Hears of items that came into the buffer. What somebody asked for shows even while the view stands still. */
  added(items: readonly LogItem[], { asked = false } = {}): void {
    if (this.build) this.arrived.push(items);
    const visible = this.look(this.inView(items));
    if (this.isPaused && !asked) this.held.add(visible);
    else this.shown.insert(this.inOrder(visible));
  }

  /** Hears that the oldest items of the buffer are left out. */
  dropped(): void {
    this.shown.removeWhere((item) => !this.isKept(item));
    this.held.keep((item) => this.isKept(item));
  }

  /** Hears that an item of the buffer is another one now. */
  replaced(item: LogItem): void {
    this.shown.replace(item);
    this.held.replace(item);
  }

  /** Hears that an item is not in the buffer any more. */
  removed(item: LogItem): void {
    this.shown.remove(item);
    this.held.keep(({ key }) => key !== item.key);
  }

  /** Hears that the lines of a part are not in the buffer any more. */
  removedPart(part: PartId): void {
    const stays = (item: LogItem): boolean => item.kind === 'gap' || item.part !== part;
    this.held.keep(stays);
    this.arrived = this.arrived.map((items) => items.filter(stays));
    this.shown.reset(this.shown.all().filter(stays));
  }

  /** Shows what is logged from this time on, in microseconds since 1970. */
  setHorizon(micros: number): void {
    const before = this.horizon;
    this.horizon = micros;
    if (micros > before) this.shown.removeWhere((item) => !this.isInView(item));
    if (micros >= before) return;
    const heldKeys = this.held.keys;
    const further = this.inView(this.buffer.between(-Infinity, before)).filter(
      (item) => !heldKeys.has(item.key) && !this.shown.find(item),
    );
    this.shown.insert(this.inOrder(this.look(further)));
  }

  /**
   * Shows what another filter lets pass, once all of the buffer is looked at; a newer filter ends an older one.
   * @param withoutText what passes whatever it says.
   * @throws PatternTooSlow, and stays as it is.
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
      const late = arrived.map((items) => this.look(this.inView(items)));
      this.held.clear();
      this.shown.reset(this.inOrder(this.inView(passed).flatMap((item) => this.asItIsNow(item))));
      for (const items of late) {
        this.shown.insert(this.inOrder(items.filter((item) => this.isKept(item))));
      }
    } finally {
      if (this.build === build) this.build = undefined;
    }
  }

  /** Holds nothing. */
  clear(): void {
    this.held.clear();
    this.arrived = [];
    this.shown.reset([]);
  }

  private async passed(passing: PassingItems, goesOn: () => boolean): Promise<LogItem[]> {
    const items = this.buffer.all();
    const passed: LogItem[] = [];
    for (let start = 0; start < items.length && goesOn(); start += SLICE) {
      for (const item of passing(items.slice(start, start + SLICE))) passed.push(item);
      await this.giveWay();
    }
    return passed;
  }

  /**
   * An expression may take too long for a line that comes later. Anyone who writes one such line writes more, and all
   * else would wait for each: so the text is looked for no longer, and rather lines are shown than lost.
   */
  private look(items: readonly LogItem[]): readonly LogItem[] {
    try {
      return this.passing(items);
    } catch (error) {
      if (!(error instanceof PatternTooSlow)) throw error;
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

  /** Orders items that are in the order of time. */
  private inOrder(items: readonly LogItem[]): LogItem[] {
    return items.toSorted((a, b) => compareItems(a, b, this.order));
  }

  /** Time has passed since the item was looked at: it may be gone, or a gap be filled. */
  private asItIsNow(item: LogItem): readonly LogItem[] {
    if (!this.isKept(item)) return [];
    const now = this.buffer.find(item);
    return now ? [now] : [];
  }

  private isKept(item: LogItem): boolean {
    const { oldest } = this.buffer;
    return oldest !== undefined && compareItems(item, oldest) >= 0;
  }
}

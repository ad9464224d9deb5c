import type { PartId } from '../model/ids';
import { HeldItems } from './heldItems';
import { type PassingItems, PatternTooSlow } from './lineFilter';
import { compareItems, type LogItem } from './logItem';
import { type LogChanges, SortedLog } from './sortedLog';

/** Items that are looked at before others get a turn. */
const SLICE = 20_000;

/** Lets others have a turn. */
export type GiveWay = () => Promise<void>;

/** What of a buffer passes the filter, from the horizon on: that is where all parts are loaded. */
export class LogView {
  private readonly shown = new SortedLog();
  /** What came while the view stands still. */
  private readonly held = new HeldItems();
  /** What came while another filter is being applied. */
  private arrived: (readonly LogItem[])[] = [];
  private build: object | undefined;
  private isPaused = false;
  private horizon = Infinity;
  /** What passes once the text of the filter takes too long. */
  private withoutText: PassingItems;

  constructor(
    private readonly buffer: SortedLog,
    private passing: PassingItems,
    private readonly giveWay: GiveWay,
    private readonly gaveUp: () => void,
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

  /** What has changed since the last time. */
  takeChanges(): LogChanges {
    return this.shown.takeChanges();
  }

  /** Stands still, or goes on with what came in the meantime. */
  setPaused(paused: boolean): void {
    this.isPaused = paused;
    if (!paused) this.shown.insert(this.held.take());
  }

  /** Hears of items that came into the buffer. What somebody asked for shows even while the view stands still. */
  added(items: readonly LogItem[], { asked = false } = {}): void {
    if (this.build) this.arrived.push(items);
    const visible = this.look(this.aboveHorizon(items));
    if (this.isPaused && !asked) this.held.add(visible);
    else this.shown.insert(visible);
  }

  /** Hears that the oldest items of the buffer are left out. */
  dropped(): void {
    const { oldest } = this.buffer;
    if (oldest) this.shown.dropBefore(oldest);
    else this.shown.dropFirst(this.shown.length);
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
    if (micros > before) this.shown.dropBefore({ micros, key: -Infinity });
    else if (micros < before) this.shown.insert(this.look(this.buffer.between(micros, before)));
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
      const late = arrived.map((items) => this.look(this.aboveHorizon(items)));
      this.held.clear();
      this.shown.reset(this.aboveHorizon(passed).flatMap((item) => this.asItIsNow(item)));
      for (const items of late) this.shown.insert(items.filter((item) => this.isKept(item)));
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

  private aboveHorizon(items: readonly LogItem[]): readonly LogItem[] {
    return items.filter(({ micros }) => micros >= this.horizon);
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

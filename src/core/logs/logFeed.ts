import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';
import { microsOf } from '../model/micros';
import { missedLines } from '../model/tailNotice';
import type { Clock, Logger, Sleep } from '../ports';
import { FollowedPart } from './followedPart';
import {
  EVERY_LINE,
  type FilterProblem,
  filterProblemOf,
  type LineFilter,
  type MatchPattern,
  passingItems,
} from './lineFilter';
import { LogBuffer } from './logBuffer';
import { LogGaps } from './logGaps';
import type { LogItem, LogOrder } from './logItem';
import { LogLoader } from './logLoader';
import type { LogSource } from './logSource';
import { type GiveWay, LogView } from './logView';
import type { LogWords } from './logWords';
import { PartTail, type TailState } from './partTail';
import type { LogChanges } from './sortedLog';

export interface LogFeedOptions {
  /** The logs of the connection that is signed in now. It may throw a `FleetError`. */
  readonly source: () => LogSource;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** In [0, 1); spreads the retries of many. */
  readonly random: () => number;
  /** How many lines are kept in memory at most. */
  readonly limit: number;
  readonly matchPattern: MatchPattern;
  /** Lets others have a turn during long work. */
  readonly giveWay: GiveWay;
  readonly logger: Logger;
  readonly words: LogWords;
}

/** A part whose log is followed, and how that goes. */
export interface FeedPart {
  readonly id: PartId;
  readonly state: TailState;
}

/** How much there is. */
export interface FeedCounts {
  /** Lines in memory, and how many may be. */
  readonly buffered: number;
  readonly limit: number;
  /** Lines left out of memory to stay within the limit. */
  readonly dropped: number;
  /** Lines the service left out, and that were not found again. */
  readonly missed: number;
  /** Lines that came while the feed is paused, and pass the filter. */
  readonly waiting: number;
}

/**
 * The logs of several parts, merged by time: what was logged, what is logged now, and what was logged while
 * the connection was lost. Memory is bounded, and no line is there twice.
 */
export class LogFeed extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  /** Rows, counts or what is under way; `takeChanges` tells which. */
  readonly onDidChange = this.changed.event;
  private readonly partsChanged = this.register(new Emitter<void>());
  readonly onDidChangeParts = this.partsChanged.event;
  private readonly textGivenUp = this.register(new Emitter<void>());
  /** The filter's expression takes too long for a line that came: lines pass from now on whatever they say. */
  readonly onDidGiveUpText = this.textGivenUp.event;

  private readonly followed = new Map<PartId, FollowedPart>();
  private readonly buffer: LogBuffer;
  private readonly view: LogView;
  private readonly gaps: LogGaps;
  private readonly loader: LogLoader;
  private currentFilter = EVERY_LINE;
  private hasBegun = false;

  constructor(private readonly options: LogFeedOptions) {
    super();
    const { limit, giveWay, source, clock, logger, words } = options;
    this.buffer = new LogBuffer(limit);
    const gaveUp = (): void => this.textGivenUp.fire();
    const isEarly = (item: LogItem): boolean => this.isEarly(item);
    this.view = new LogView(this.buffer.log, (items) => items, giveWay, gaveUp, isEarly);
    this.buffer.listen(this.view);
    this.gaps = new LogGaps(this.buffer, () => clock.now());
    const { gaps, buffer, view } = this;
    this.loader = this.register(
      new LogLoader({
        ...{ source, gaps, buffer, logger, words },
        parts: () => this.shownParts(),
        shownRows: () => view.rows.length,
        loaded: () => {
          this.stayAbove();
          this.moveHorizon();
        },
      }),
    );
  }

  get parts(): readonly FeedPart[] {
    return [...this.followed.values()].map(({ id, tail }) => ({ id, state: tail.state }));
  }

  get filter(): LineFilter {
    return this.currentFilter;
  }

  get counts(): FeedCounts {
    const { lines: buffered, limit, dropped } = this.buffer;
    const missed = [...this.followed.values()].reduce((sum, part) => sum + part.missed, 0);
    return { buffered, limit, dropped, missed, waiting: this.view.heldLines };
  }

  /** The order of the rows. */
  get order(): LogOrder {
    return this.view.order;
  }

  get paused(): boolean {
    return this.view.paused;
  }

  /** A filter is being applied to what is in memory. */
  get filtering(): boolean {
    return this.view.filtering;
  }

  get loadingOlder(): boolean {
    return this.loader.loadingOlder;
  }

  /** There is something before the oldest line. */
  get hasOlder(): boolean {
    return this.shownParts().some((part) => part.hasOlder);
  }

  /** Follows parts, from their last lines on. */
  add(ids: readonly PartId[]): void {
    for (const id of ids.filter((one) => !this.followed.has(one))) this.follow(id);
    this.partsChanged.fire();
  }

  /** Follows a part no more, and forgets its lines. */
  remove(id: PartId): void {
    const part = this.followed.get(id);
    if (!part) return;
    this.followed.delete(id);
    this.release(part.tail);
    this.gaps.leave(part, 'filled');
    this.buffer.removePart(id);
    this.view.removedPart(id);
    this.moveHorizon();
    this.partsChanged.fire();
  }

  /** Connects now instead of later, or again after it stopped. */
  reconnect(id: PartId): void {
    this.followed.get(id)?.tail.reconnect();
  }

  setLimit(limit: number): void {
    this.buffer.setLimit(limit);
    this.stayAbove();
    this.changed.fire();
  }

  /** Lines still come while it is paused; they are shown afterwards. */
  setPaused(paused: boolean): void {
    this.view.setPaused(paused);
    this.changed.fire();
  }

  /** Orders the rows by the times that machines wrote, or by the times at which lines were received. */
  setOrder(order: LogOrder): void {
    this.view.setOrder(order);
    this.changed.fire();
  }

  /** Shows what a filter lets pass. Resolves once it is so, or with what is wrong with the filter. */
  async setFilter(filter: LineFilter): Promise<FilterProblem | undefined> {
    const before = this.currentFilter;
    try {
      const passing = passingItems(filter, this.options.matchPattern);
      this.currentFilter = filter;
      const withoutText = passingItems({ ...filter, text: '' }, this.options.matchPattern);
      const applied = this.view.setFilter(passing, withoutText);
      this.changed.fire();
      await applied;
      return undefined;
    } catch (error) {
      this.currentFilter = before;
      const problem = filterProblemOf(error);
      if (!problem) throw error;
      return problem;
    } finally {
      this.moveHorizon();
    }
  }

  /** What has changed since the last time. */
  takeChanges(): LogChanges {
    return this.view.takeChanges();
  }

  /** Rows by their places, as far as they are there. */
  rows(start: number, end: number): { readonly start: number; readonly items: readonly LogItem[] } {
    return this.view.rows.slice(start, end);
  }

  /** A row by its key. */
  find(key: number): LogItem | undefined {
    return this.view.rows.byKey(key);
  }

  /** All rows, oldest first. */
  shown(): readonly LogItem[] {
    return this.view.rows.all();
  }

  /** Loads lines of before the oldest row. @throws FleetError */
  async loadOlder(signal?: AbortSignal): Promise<void> {
    const loading = this.loader.loadOlder(signal);
    this.changed.fire();
    await loading.finally(() => this.changed.fire());
  }

  /** Loads what is missing at a gap. @throws FleetError */
  async loadGap(key: number, signal?: AbortSignal): Promise<void> {
    const gap = this.find(key);
    if (gap?.kind !== 'gap') return;
    const loading = this.loader.loadGap(gap, signal);
    this.changed.fire();
    await loading.finally(() => this.changed.fire());
  }

  /**
   * The place of the first row at or after a time. What was logged then is loaded when it is not there.
   * @returns undefined when there is no such row.
   * @throws FleetError
   */
  async jump(at: Date, signal?: AbortSignal): Promise<number | undefined> {
    const micros = microsOf(at);
    await this.loader.loadFrom(micros, signal);
    this.changed.fire();
    const place = this.view.rows.placeAt(micros);
    return this.rows(place, place + 1).items.length > 0 ? place : undefined;
  }

  /** Forgets all lines; those of before can be loaded again. */
  clear(): void {
    this.loader.abandon();
    this.buffer.clear();
    this.view.clear();
    this.gaps.clear();
    for (const part of this.followed.values()) part.cleared();
    this.moveHorizon();
  }

  private follow(id: PartId): void {
    const { source, clock, sleep, random, words } = this.options;
    const now = (): Date => clock.now();
    const tail = this.register(
      new PartTail(id, {
        ...{ source, clock, sleep, random, words },
        onLive: () => void this.loader.catchUp(part),
        onEntries: (entries) => this.takeLive(part, entries),
        onState: (before, state) => this.stateChanged(part, before, state),
      }),
    );
    const part = new FollowedPart(id, tail, this.buffer, now);
    this.followed.set(id, part);
    tail.start();
  }

  private takeLive(part: FollowedPart, entries: readonly LogEntry[]): void {
    const lines = entries.filter((entry) => !this.isNotice(part, entry));
    part.takeLive(lines);
    this.stayAbove();
    this.changed.fire();
  }

  /** The service says in a line of its own how many lines it had to leave out. */
  private isNotice(part: FollowedPart, entry: LogEntry): boolean {
    const missed = missedLines(entry);
    if (missed === undefined) return false;
    part.missed += missed;
    this.gaps.miss(part);
    void this.loader.catchUp(part);
    return true;
  }

  private stateChanged(part: FollowedPart, before: TailState, now: TailState): void {
    if (before.kind === 'live') this.gaps.lose(part);
    if (now.kind === 'stopped') this.gaps.leave(part, 'failed');
    this.moveHorizon();
    this.partsChanged.fire();
  }

  /** Whether an item came live and is dated before everything that is loaded of its part. */
  private isEarly(item: LogItem): boolean {
    if (item.kind !== 'line' || item.receivedMicros === undefined) return false;
    const part = this.followed.get(item.part);
    return part !== undefined && part.isLoaded && item.micros < part.horizon;
  }

  private shownParts(): readonly FollowedPart[] {
    const { parts } = this.currentFilter;
    const all = [...this.followed.values()];
    return parts ? all.filter(({ id }) => parts.has(id)) : all;
  }

  /** What was left out is not loaded any more. */
  private stayAbove(): void {
    const { droppedMicros } = this.buffer;
    const below = [...this.followed.values()].filter((part) => part.horizon <= droppedMicros);
    if (below.length === 0) return;
    for (const part of below) part.leftOutBefore(droppedMicros + 1);
    this.moveHorizon();
  }

  /** Rows begin where the logs of all parts that are shown are there. */
  private moveHorizon(): void {
    const parts = this.shownParts();
    // Parts that are opened together begin together.
    if (!this.hasBegun && parts.some((part) => part.isLoading)) return;
    this.hasBegun = parts.length > 0;
    const horizons = parts.filter((part) => part.isLoaded).map(({ shownSince }) => shownSince);
    this.view.setHorizon(horizons.reduce((a, b) => Math.max(a, b), -Infinity));
    this.changed.fire();
  }
}

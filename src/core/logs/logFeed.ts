import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';
import { toMicros } from '../model/timestamp';
import { missedLines } from '../model/tailNotice';
import type { Clock, Logger, Sleep } from '../ports';
import { PartLogState } from './partLogState';
import {
  EVERY_LINE,
  type FilterProblem,
  type LineFilter,
  type LogItem,
  type LogOrder,
  type MatchPattern,
  passingItems,
  toFilterProblem,
} from './logItem';
import { LogBuffer } from './logBuffer';
import { LogGaps } from './logGaps';
import { LogLoader } from './logLoader';
import { type LogMessages, type LogSource, PartTail, type TailState } from './partTail';
import { LogView, type YieldToEventLoop } from './logView';
import type { LogChanges } from './sortedLog';

export interface LogFeedOptions {
  /** Returns the current connection's log source. Can throw a `FleetError`. */
  readonly source: () => LogSource;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Returns a number in [0, 1), to spread the retries of many clients. */
  readonly random: () => number;
  /** Maximum number of lines in memory. */
  readonly limit: number;
  readonly matchPattern: MatchPattern;
  /** Yields to the event loop during long work. */
  readonly yieldToEventLoop: YieldToEventLoop;
  readonly logger: Logger;
  readonly messages: LogMessages;
}

/** Part that the feed follows, with the state of its connection. */
export interface FeedPart {
  readonly id: PartId;
  readonly state: TailState;
}

/** Line counts of the feed. */
export interface FeedCounts {
  /** Number of lines in memory, and the maximum number. */
  readonly buffered: number;
  readonly limit: number;
  /** Number of lines dropped because of the limit. */
  readonly dropped: number;
  /** Number of lines that the service dropped and that were not recovered. */
  readonly missed: number;
  /** Number of lines that pass the filter and arrived while the feed is paused. */
  readonly waiting: number;
}

/**
 * Logs of multiple parts, merged by time: past lines, live lines, and lines from periods without a
 * connection. Limits memory use and deduplicates the lines.
 */
export class LogFeed extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when rows, counts, or activities have changed; `takeChanges` returns the changes. */
  readonly onDidChange = this.changed.event;
  private readonly partsChanged = this.register(new Emitter<void>());
  readonly onDidChangeParts = this.partsChanged.event;
  private readonly textAbandoned = this.register(new Emitter<void>());
  /**
   * Fires when the filter's regular expression takes too long for a new line. From then on, lines
   * pass regardless of their text.
   */
  readonly onDidAbandonText = this.textAbandoned.event;

  private readonly followed = new Map<PartId, PartLogState>();
  private readonly buffer: LogBuffer;
  private readonly view: LogView;
  private readonly gaps: LogGaps;
  private readonly loader: LogLoader;
  private currentFilter = EVERY_LINE;
  private hasBegun = false;

  constructor(private readonly options: LogFeedOptions) {
    super();
    const { limit, yieldToEventLoop, source, clock, logger, messages } = options;
    this.buffer = new LogBuffer(limit);
    const gaveUp = (): void => this.textAbandoned.fire();
    const isEarly = (item: LogItem): boolean => this.isEarly(item);
    this.view = new LogView(this.buffer.log, (items) => items, yieldToEventLoop, gaveUp, isEarly);
    this.buffer.listen(this.view);
    this.gaps = new LogGaps(this.buffer, () => clock.now());
    const { gaps, buffer, view } = this;
    this.loader = this.register(
      new LogLoader({
        source,
        gaps,
        buffer,
        logger,
        messages,
        parts: () => this.shownParts(),
        followed: () => [...this.followed.values()],
        shownRows: () => view.rows.length,
        loaded: () => {
          this.raiseHorizons();
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
    return { buffered, limit, dropped, missed, waiting: this.view.bufferedLines };
  }

  /** Order of the rows. */
  get order(): LogOrder {
    return this.view.order;
  }

  get paused(): boolean {
    return this.view.paused;
  }

  /** True while a filter is applied to the buffer. */
  get filtering(): boolean {
    return this.view.filtering;
  }

  get loadingOlder(): boolean {
    return this.loader.loadingOlder;
  }

  /** True if there might be lines before the oldest row. */
  get hasOlder(): boolean {
    return this.shownParts().some((part) => part.hasOlder);
  }

  /** Starts following parts, beginning with their most recent lines. */
  add(ids: readonly PartId[]): void {
    for (const id of ids.filter((one) => !this.followed.has(one))) this.startTail(id);
    this.partsChanged.fire();
  }

  /** Stops following a part and removes its lines and gaps. */
  remove(id: PartId): void {
    const part = this.followed.get(id);
    if (!part) return;
    this.followed.delete(id);
    this.release(part.tail);
    this.gaps.removePart(part);
    this.buffer.removePart(id);
    this.view.removedPart(id);
    this.moveHorizon();
    this.partsChanged.fire();
  }

  /**
   * Connects immediately instead of after the delay, or connects again after the tail has stopped.
   */
  reconnect(id: PartId): void {
    this.followed.get(id)?.tail.reconnect();
  }

  setLimit(limit: number): void {
    this.buffer.setLimit(limit);
    this.raiseHorizons();
    this.changed.fire();
  }

  /** Pauses or resumes the display. Lines that arrive during the pause are shown after it ends. */
  setPaused(paused: boolean): void {
    this.view.setPaused(paused);
    this.changed.fire();
  }

  /** Orders the rows by the machines' timestamps or by the times of receipt. */
  setOrder(order: LogOrder): void {
    this.view.setOrder(order);
    this.changed.fire();
  }

  /**
   * Applies a filter. Resolves when the filter is applied. If the filter is invalid, resolves with
   * the problem.
   */
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
      const problem = toFilterProblem(error);
      if (!problem) throw error;
      return problem;
    } finally {
      this.moveHorizon();
    }
  }

  /** Returns the changes since the last call. */
  takeChanges(): LogChanges {
    return this.view.takeChanges();
  }

  /** Returns the available rows in an index range. */
  rows(start: number, end: number): { readonly start: number; readonly items: readonly LogItem[] } {
    return this.view.rows.slice(start, end);
  }

  /** Returns a row by its key. */
  find(key: number): LogItem | undefined {
    return this.view.rows.byKey(key);
  }

  /** Returns all rows, in their order. */
  shown(): readonly LogItem[] {
    return this.view.rows.all();
  }

  /** Loads lines before the oldest row. @throws FleetError */
  async loadOlder(signal?: AbortSignal): Promise<void> {
    const loading = this.loader.loadOlder(signal);
    this.changed.fire();
    await loading.finally(() => this.changed.fire());
  }

  /** Loads a gap's missing lines. @throws FleetError */
  async loadGap(key: number, signal?: AbortSignal): Promise<void> {
    const gap = this.find(key);
    if (gap?.kind !== 'gap') return;
    const loading = this.loader.loadGap(gap, signal);
    this.changed.fire();
    await loading.finally(() => this.changed.fire());
  }

  /**
   * Returns the index of the first row at or after a given time. Loads the lines from around that
   * time if they are missing.
   * @returns undefined if there is no such row.
   * @throws FleetError
   */
  async jump(at: Date, signal?: AbortSignal): Promise<number | undefined> {
    const micros = toMicros(at);
    await this.loader.loadFrom(micros, signal);
    this.changed.fire();
    const index = this.view.rows.positionAt(micros);
    return this.rows(index, index + 1).items.length > 0 ? index : undefined;
  }

  /** Clears all lines. The user can load them again. */
  clear(): void {
    this.loader.abandon();
    this.buffer.clear();
    this.view.clear();
    this.gaps.clear();
    for (const part of this.followed.values()) part.cleared();
    this.moveHorizon();
  }

  private startTail(id: PartId): void {
    const { source, clock, sleep, random, messages } = this.options;
    const now = (): Date => clock.now();
    const tail = this.register(
      new PartTail(id, {
        source,
        clock,
        sleep,
        random,
        messages,
        onLive: () => void this.loader.catchUp(part),
        onEntries: (entries) => this.takeLive(part, entries),
        onState: (before, state) => this.stateChanged(part, before, state),
      }),
    );
    const part = new PartLogState(id, tail, this.buffer, now);
    this.followed.set(id, part);
    tail.start();
  }

  private takeLive(part: PartLogState, entries: readonly LogEntry[]): void {
    const lines = entries.filter((entry) => !this.isNotice(part, entry));
    part.takeLive(lines);
    this.raiseHorizons();
    this.changed.fire();
  }

  /** Returns true for a line that reports how many lines the service has dropped. */
  private isNotice(part: PartLogState, entry: LogEntry): boolean {
    const missed = missedLines(entry);
    if (missed === undefined) return false;
    part.missed += missed;
    this.gaps.openForDroppedLines(part);
    void this.loader.catchUp(part);
    return true;
  }

  private stateChanged(part: PartLogState, before: TailState, now: TailState): void {
    if (before.kind === 'live') this.gaps.openForLostConnection(part);
    if (now.kind === 'stopped') this.gaps.close(part, 'failed');
    this.moveHorizon();
    this.partsChanged.fire();
  }

  /**
   * Returns true if an item arrived live but its timestamp is before all loaded lines of its part.
   */
  private isEarly(item: LogItem): boolean {
    if (item.kind !== 'line' || item.receivedMicros === undefined) return false;
    const part = this.followed.get(item.part);
    return part !== undefined && part.isLoaded && item.micros < part.horizon;
  }

  private shownParts(): readonly PartLogState[] {
    const { parts } = this.currentFilter;
    const all = [...this.followed.values()];
    return parts ? all.filter(({ id }) => parts.has(id)) : all;
  }

  /** Stops counting dropped lines as loaded. */
  private raiseHorizons(): void {
    const { droppedMicros } = this.buffer;
    const below = [...this.followed.values()].filter((part) => part.horizon <= droppedMicros);
    if (below.length === 0) return;
    for (const part of below) part.markTruncatedBefore(droppedMicros + 1);
    this.moveHorizon();
  }

  /** Moves the start of the rows to the time from which all displayed parts' logs are loaded. */
  private moveHorizon(): void {
    const parts = this.shownParts();
    // Parts that are opened together must appear at the same time.
    if (!this.hasBegun && parts.some((part) => part.isLoading)) return;
    this.hasBegun = parts.length > 0;
    const horizons = parts.filter((part) => part.isLoaded).map(({ shownSince }) => shownSince);
    this.view.setHorizon(horizons.reduce((a, b) => Math.max(a, b), -Infinity));
    this.changed.fire();
  }
}

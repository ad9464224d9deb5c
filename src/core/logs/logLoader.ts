import { Disposable } from '../../base/disposable';
import { canceled, FleetError, isCanceled, toFleetError } from '../api/errors';
import type { Logger } from '../ports';
import type { PartLogState } from './partLogState';
import type { LogBuffer } from './logBuffer';
import type { LogGaps } from './logGaps';
import type { LogGap } from './logItem';
import {
  type LogMessages,
  type LogRange,
  type LogRangeResult,
  type LogSource,
  readRange,
} from './partTail';

/** Numbers of lines to load: initially for each part, and with each later request. */
const FIRST_LINES = 500;
const MORE_LINES = 1_000;
/** Number of new rows, and maximum number of rounds, after which loading older lines stops. */
const ENOUGH_ROWS = 200;
const MAX_ROUNDS = 10;
const CATCH_UP_PAGE = 5_000;
/**
 * Time in microseconds before a gap in which missed lines are also searched for, because lines can
 * arrive out of order.
 */
const SLACK_MICROS = 30_000_000;
/**
 * Maximum number of missed lines to load automatically, newest first. The user can load the
 * remaining lines on demand.
 */
const CATCH_UP_LINES = 100_000;

export interface LoaderOptions {
  readonly source: () => LogSource;
  readonly buffer: LogBuffer;
  readonly gaps: LogGaps;
  readonly logger: Logger;
  readonly messages: LogMessages;
  /** Returns the displayed parts. */
  readonly parts: () => readonly PartLogState[];
  /** Returns all followed parts, including hidden ones. */
  readonly followed: () => readonly PartLogState[];
  /** Returns the number of displayed rows. */
  readonly shownRows: () => number;
  /** Called when more lines have been loaded. */
  readonly loaded: () => void;
}

/** Lines read from a part. */
interface PartRead extends LogRangeResult {
  readonly part: PartLogState;
}

/** Loads lines that parts logged earlier or while they were disconnected. */
export class LogLoader extends Disposable {
  private readonly ended = new AbortController();
  private readonly catching = new Set<PartLogState>();
  /** Parts whose lines must be loaded again. */
  private readonly again = new Set<PartLogState>();
  private older = 0;
  /** Aborts the user's requests when their results are no longer needed. */
  private requestAbort = new AbortController();

  constructor(private readonly options: LoaderOptions) {
    super();
    this.register({ dispose: () => this.ended.abort() });
  }

  get loadingOlder(): boolean {
    return this.older > 0;
  }

  /** Cancels the user's requests, because the lines around their targets were removed. */
  abandon(): void {
    this.requestAbort.abort();
    this.requestAbort = new AbortController();
  }

  /**
   * Loads a part's most recent lines, or lines that the part might have missed. Failures are shown
   * in the gap.
   */
  async catchUp(part: PartLogState): Promise<void> {
    if (this.catching.has(part)) {
      this.again.add(part);
      return;
    }
    this.catching.add(part);
    try {
      do {
        this.again.delete(part);
        await this.catchUpOnce(part);
      } while (this.again.has(part));
    } finally {
      this.catching.delete(part);
      this.options.loaded();
    }
  }

  /** Loads lines before the oldest rows. @throws FleetError */
  async loadOlder(signal?: AbortSignal): Promise<void> {
    await this.runIfRequested(signal, (combinedSignal) => this.loadOlderRows(combinedSignal));
  }

  private async loadOlderRows(combinedSignal: AbortSignal): Promise<void> {
    const { shownRows } = this.options;
    this.older += 1;
    try {
      const before = shownRows();
      for (let round = 0; round < MAX_ROUNDS && shownRows() < before + ENOUGH_ROWS; round += 1) {
        const parts = this.partsAtHorizon();
        if (parts.length === 0) return;
        this.requireRoom(parts.length * MORE_LINES);
        await Promise.all(parts.map((part) => this.loadBefore(part, combinedSignal)));
        for (const part of this.options.parts()) part.missCleared();
        this.options.loaded();
      }
    } finally {
      this.older -= 1;
    }
  }

  /** Loads a gap's missing lines, from its start. @throws FleetError */
  async loadGap(gap: LogGap, signal?: AbortSignal): Promise<void> {
    await this.runIfRequested(signal, (combinedSignal) => this.loadGapLines(gap, combinedSignal));
  }

  private async loadGapLines(gap: LogGap, combinedSignal: AbortSignal): Promise<void> {
    const { gaps } = this.options;
    const parts = this.getGapParts(gap);
    if (parts.length === 0 || gap.state === 'loading' || gap.state === 'filled') return;
    if (gap.reason !== 'notLoaded') {
      gaps.reopen(
        gap,
        parts.map(({ id }) => id),
      );
      for (const part of parts) part.missingSince ??= gap.micros;
      await Promise.all(parts.map((part) => this.catchUp(part)));
      return;
    }
    this.requireRoom(parts.length * MORE_LINES);
    const loading = gaps.update(gap, { state: 'loading' });
    try {
      await this.loadGapFrom(gap, gap.micros, combinedSignal);
    } catch (error) {
      gaps.update(loading, { state: isCanceled(error) ? 'open' : 'failed' });
      throw error;
    }
  }

  /** Loads lines in a gap from a given time on. The lines before and after them remain gaps. */
  private async loadGapFrom(
    gap: LogGap,
    start: number,
    combinedSignal: AbortSignal,
  ): Promise<void> {
    const { parts, endMicros: end } = gap;
    const reached = await this.loadOnward(this.getGapParts(gap), { start, end }, combinedSignal);
    this.options.gaps.removeRange(parts, start, reached ?? end ?? Infinity);
  }

  /**
   * Returns the parts whose lines are missing in a gap. Hidden parts are included, because the gap
   * must not be removed before their lines are loaded too.
   */
  private getGapParts({ parts }: LogGap): readonly PartLogState[] {
    return this.options.followed().filter(({ id }) => parts.includes(id));
  }

  /**
   * Loads lines starting at a given time, in microseconds since 1970, unless they are already
   * loaded. The ranges between the new lines and the previously loaded lines become gaps.
   * @throws FleetError
   */
  async loadFrom(micros: number, signal?: AbortSignal): Promise<void> {
    await this.runIfRequested(signal, (combinedSignal) =>
      this.loadLinesFrom(micros, combinedSignal),
    );
  }

  private async loadLinesFrom(micros: number, combinedSignal: AbortSignal): Promise<void> {
    const { gaps, loaded } = this.options;
    await this.loadBeforeHorizon(micros, combinedSignal);
    const getGaps = (): readonly LogGap[] =>
      gaps.getGapsAround(
        micros,
        this.options.parts().map(({ id }) => id),
      );
    const missed = getGaps().filter(({ reason }) => reason !== 'notLoaded');
    await Promise.all(missed.map((gap) => this.loadGapLines(gap, combinedSignal)));
    // Loading missed lines can leave a gap if there are too many of them.
    const unloaded = getGaps().filter(({ reason }) => reason === 'notLoaded');
    this.requireRoom(unloaded.flatMap((gap) => this.getGapParts(gap)).length * MORE_LINES);
    await Promise.all(unloaded.map((gap) => this.loadGapFrom(gap, micros, combinedSignal)));
    if (missed.length + unloaded.length > 0) loaded();
  }

  private async loadBeforeHorizon(micros: number, combinedSignal: AbortSignal): Promise<void> {
    const parts = this.options.parts().filter(({ horizon }) => horizon > micros);
    if (parts.length === 0) return;
    const end = Math.max(...parts.map((part) => this.getUnknownEnd(part)));
    this.requireRoom(parts.length * MORE_LINES);
    const reached = await this.loadOnward(parts, { start: micros, end }, combinedSignal);
    for (const part of parts) {
      part.missCleared();
      part.loadedFrom(micros);
    }
    this.skip(parts, reached, end);
    this.options.loaded();
  }

  private async catchUpOnce(part: PartLogState): Promise<void> {
    const { gaps, logger } = this.options;
    const since = part.missingSince;
    if (part.isLoaded && since === undefined) return;
    part.missingSince = undefined;
    try {
      if (since === undefined || !part.isLoaded) await this.loadLast(part);
      else await this.loadMissed(part, since);
    } catch (error) {
      if (this.isDisposed) return;
      if (since !== undefined) part.mightMissSince(since);
      // Only live lines are shown from now on. The user can request earlier lines.
      if (!part.isLoaded) part.loadedFrom(part.newestMicros);
      // A part that is about to reconnect is retried automatically.
      const { kind } = part.tail.state;
      if (kind === 'live' || kind === 'stopped') gaps.close(part, 'failed');
      logger.warn("Log lines couldn't be loaded.", { error: toFleetError(error).kind });
    }
  }

  /** Loads the most recent lines for a part that has no lines in the buffer. */
  private async loadLast(part: PartLogState): Promise<void> {
    const { entries, reached } = await this.read({
      part: part.id,
      order: 'newestFirst',
      pageSize: FIRST_LINES,
      enoughLines: FIRST_LINES,
    });
    this.options.gaps.addLoaded(part, part.takeRead(entries, false));
    part.loadedFrom(reached ?? -Infinity);
  }

  /**
   * Loads a part's log lines since a given time, in microseconds since 1970. Reads backward until
   * it reaches lines in the buffer.
   */
  private async loadMissed(part: PartLogState, since: number): Promise<void> {
    const { gaps } = this.options;
    const { entries, reached } = await this.read({
      part: part.id,
      start: since - SLACK_MICROS,
      order: 'newestFirst',
      pageSize: CATCH_UP_PAGE,
      enoughLines: CATCH_UP_LINES,
      isLast: (page) => (page.at(-1)?.micros ?? since) < since && part.knows(page),
    });
    const lines = part.takeRead(entries, false);
    part.missed = Math.max(0, part.missed - lines);
    // The connection might have been lost again.
    if (part.missingSince === undefined) gaps.addLoaded(part, lines);
    else gaps.foundSome(part, lines);
    if (reached !== undefined) this.skip([part], since, reached);
  }

  /** Adds a gap for the range between loaded lines, unless the range is empty. */
  private skip(parts: readonly PartLogState[], start: number | undefined, end: number): void {
    const ids = parts.filter(({ isFollowed }) => isFollowed).map(({ id }) => id);
    if (start === undefined || start >= end || ids.length === 0) return;
    this.options.gaps.skip(ids, start, end);
  }

  private async loadBefore(part: PartLogState, combinedSignal: AbortSignal): Promise<void> {
    const { horizon, id } = part;
    const { entries, reached } = await this.read(
      {
        part: id,
        end: horizon + 1,
        order: 'newestFirst',
        pageSize: MORE_LINES,
        enoughLines: MORE_LINES,
      },
      combinedSignal,
    );
    part.takeRead(entries, true);
    part.loadedFrom(reached ?? -Infinity);
  }

  /**
   * Loads the parts' lines in a time range.
   * @returns the time up to which all parts' lines are loaded; undefined if the whole range is
   *   loaded.
   */
  private async loadOnward(
    parts: readonly PartLogState[],
    { start, end }: Pick<LogRange, 'start' | 'end'>,
    combinedSignal: AbortSignal,
  ): Promise<number | undefined> {
    const size = { pageSize: MORE_LINES, enoughLines: MORE_LINES };
    const reads = await Promise.all(
      parts.map(async (part): Promise<PartRead> => {
        const range = { part: part.id, start, end, order: 'oldestFirst', ...size } as const;
        return { part, ...(await this.read(range, combinedSignal)) };
      }),
    );
    const ends = reads.map(({ reached }) => reached).filter((reached) => reached !== undefined);
    const common = ends.length === 0 ? undefined : Math.min(...ends);
    for (const { part, entries } of reads) {
      const complete = entries.filter(({ micros }) => common === undefined || micros <= common);
      part.takeRead(complete, true);
    }
    return common;
  }

  /** Runs a user's request until its result is no longer needed. */
  private async runIfRequested(
    signal: AbortSignal | undefined,
    load: (combinedSignal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const requestSignal = this.requestAbort.signal;
    try {
      await load(signal ? AbortSignal.any([signal, requestSignal]) : requestSignal);
    } catch (error) {
      if (!requestSignal.aborted) throw error;
    }
  }

  private async read(range: LogRange, signal?: AbortSignal): Promise<LogRangeResult> {
    const ended = this.ended.signal;
    const both = signal ? AbortSignal.any([signal, ended]) : ended;
    const read = await readRange(this.options.source(), range, both);
    // A request that is canceled while its last page is read must not take effect.
    if (both.aborted) throw canceled();
    return read;
  }

  /** Returns the parts that determine the start of the rows. */
  private partsAtHorizon(): readonly PartLogState[] {
    const parts = this.options.parts().filter((part) => part.hasOlder);
    const newest = Math.max(...parts.map(({ horizon }) => horizon));
    return parts.filter(({ horizon }) => horizon === newest);
  }

  /** Returns the time at which a part's buffered lines begin. */
  private getUnknownEnd(part: PartLogState): number {
    return part.isLoaded ? part.horizon + 1 : part.newestMicros + 1;
  }

  /** Throws if the buffer is full, because newly loaded older lines would be dropped again. */
  private requireRoom(lines: number): void {
    const { buffer, messages } = this.options;
    if (buffer.lines + lines <= buffer.limit) return;
    throw new FleetError('invalid', messages.full(buffer.limit));
  }
}

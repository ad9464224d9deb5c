import type { LogPageRequest, LogStore } from '../stores/logStore';
import { Disposable } from '../../base/disposable';
import { FleetError, toFleetError } from '../api/errors';
import type { PartId } from '../model/ids';
import { getCharCount, type LogEntry } from '../model/logEntry';
import type { Clock, Sleep } from '../ports';

/** Source of log lines: a connection's log store. */
export type LogSource = Pick<LogStore, 'page' | 'tail'>;

/** Localized messages that a log view generates. */
export interface LogMessages {
  /** Message for a tail that the service ended without giving a reason. */
  readonly ended: string;
  /** Returns the message for a full buffer, in which newly loaded lines would be dropped again. */
  full(limit: number): string;
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/**
 * Time in milliseconds without data after which another call checks whether the service is
 * reachable.
 */
const QUIET_MS = 5_000;
/**
 * Fixed fraction of the delay. The rest is random, so that many clients don't reconnect at the same
 * time.
 */
const STEADY_SHARE = 0.5;

export type TailState =
  | { readonly kind: 'connecting' | 'live' }
  | { readonly kind: 'retrying'; readonly error: FleetError; readonly retryAt: Date }
  | { readonly kind: 'stopped'; readonly error: FleetError };

export interface TailOptions {
  readonly source: () => LogSource;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly messages: Pick<LogMessages, 'ended'>;
  /** Called when the tail is open, so that new lines arrive from now on. */
  readonly onLive: () => void;
  readonly onEntries: (entries: readonly LogEntry[]) => void;
  readonly onState: (before: TailState, now: TailState) => void;
}

/**
 * Follows the log of one part. When the connection is lost, reconnects with increasing delays.
 * Stops after an error that a retry can't fix, until `reconnect` is called.
 */
export class PartTail extends Disposable {
  private current: TailState = { kind: 'connecting' };
  private readonly ended = new AbortController();
  private waiting = new AbortController();

  constructor(
    readonly part: PartId,
    private readonly options: TailOptions,
  ) {
    super();
    this.register({ dispose: () => this.ended.abort() });
    this.register({ dispose: () => this.waiting.abort() });
  }

  /** Starts the tail. The listeners in the options receive its events. */
  start(): void {
    void this.run();
  }

  get state(): TailState {
    return this.current;
  }

  /**
   * Connects immediately instead of after the delay, or connects again after the tail has stopped.
   */
  reconnect(): void {
    this.waiting.abort();
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.isDisposed) {
      const { wasLive, error } = await this.runConnection();
      failures = wasLive ? 1 : failures + 1;
      // A token can expire while the tail is open. The next attempt requests a new token.
      const retries = isTransient(error) || (wasLive && error.kind === 'unauthenticated');
      await (retries ? this.waitBefore(error, failures) : this.stop(error));
    }
  }

  /** Runs one connection from start to end. */
  private async runConnection(): Promise<{
    readonly wasLive: boolean;
    readonly error: FleetError;
  }> {
    const { source, messages, onLive, onEntries } = this.options;
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, this.ended.signal]);
    let wasLive = false;
    const becomeLive = (): void => {
      if (wasLive || signal.aborted) return;
      wasLive = true;
      this.become({ kind: 'live' });
      onLive();
    };
    try {
      this.become({ kind: 'connecting' });
      const batches = source().tail(this.part, signal);
      void this.probeWhenQuiet(signal).then(becomeLive, () => undefined);
      for await (const entries of batches) {
        becomeLive();
        if (entries.length > 0) onEntries(entries);
      }
      return { wasLive, error: new FleetError('unavailable', messages.ended) };
    } catch (error) {
      return { wasLive, error: toFleetError(error) };
    } finally {
      ended.abort();
    }
  }

  /**
   * Probes a quiet connection with another call to check that the service is reachable, because a
   * service can delay its response to a tail until the first line.
   */
  private async probeWhenQuiet(signal: AbortSignal): Promise<void> {
    const { source, sleep } = this.options;
    await sleep(QUIET_MS, signal);
    await source().page({ part: this.part, order: 'newestFirst', limit: 1 }, signal);
  }

  private async waitBefore(error: FleetError, failures: number): Promise<void> {
    const { clock, sleep, random } = this.options;
    const longest = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS);
    if (this.isDisposed) return;
    const wait = longest * (STEADY_SHARE + (1 - STEADY_SHARE) * random());
    const retryAt = new Date(clock.now().getTime() + wait);
    this.waiting = new AbortController();
    this.become({ kind: 'retrying', error, retryAt });
    await sleep(wait, this.waiting.signal).catch(() => undefined);
  }

  private async stop(error: FleetError): Promise<void> {
    if (this.isDisposed) return;
    const waiting = new AbortController();
    this.waiting = waiting;
    this.become({ kind: 'stopped', error });
    await new Promise<void>((resolve) => {
      waiting.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  private become(state: TailState): void {
    if (this.isDisposed) return;
    const before = this.current;
    this.current = state;
    this.options.onState(before, state);
  }
}

/** Returns true if a retry can succeed without user intervention. */
function isTransient({ kind }: FleetError): boolean {
  return (
    kind === 'unavailable' || kind === 'internal' || kind === 'conflict' || kind === 'canceled'
  );
}

/**
 * Total length in UTF-16 units after which reading stops, regardless of the number of lines,
 * because a single line can be a megabyte long.
 */
const ENOUGH_CHARS = 32_000_000;
/**
 * Maximum number of lines with the same timestamp to read. If a machine's clock has stopped, all of
 * its lines have the same timestamp.
 */
const MAX_LINES_PER_TIMESTAMP = 100_000;

/** Range of a part's log. */
export interface LogRange extends Pick<LogPageRequest, 'part' | 'start' | 'end' | 'order'> {
  readonly pageSize: number;
  /** Number of lines after which reading stops, at the end of the page that reaches this number. */
  readonly enoughLines: number;
  /** Returns true if no lines beyond this page are needed. */
  readonly isLast?: (page: readonly LogEntry[]) => boolean;
}

/** Lines read from a range. */
export interface LogRangeResult {
  /** Lines sorted oldest first, regardless of the order in which they were read. */
  readonly entries: readonly LogEntry[];
  /**
   * Time of the line that was read last, in microseconds since 1970; undefined if there are no more
   * lines.
   */
  readonly reached: number | undefined;
}

/** Reads a range page by page. @throws FleetError */
export async function readRange(
  source: Pick<LogSource, 'page'>,
  { pageSize, enoughLines, isLast = () => false, ...range }: LogRange,
  signal: AbortSignal,
): Promise<LogRangeResult> {
  const entries: LogEntry[] = [];
  let [pageToken, chars] = ['', 0];
  const isEnough = (): boolean =>
    chars >= ENOUGH_CHARS ||
    entries.length >= MAX_LINES_PER_TIMESTAMP ||
    (entries.length >= enoughLines && !isSingleTimestamp(entries));
  do {
    const page = await source.page({ ...range, limit: pageSize, pageToken }, signal);
    for (const entry of page.items) {
      entries.push(entry);
      chars += getCharCount(entry);
    }
    pageToken = isLast(page.items) ? '' : page.nextPageToken;
  } while (pageToken !== '' && !isEnough());
  const reached = pageToken === '' ? undefined : entries.at(-1)?.micros;
  // Lines with the same timestamp are distinguished only by their order.
  return { entries: range.order === 'newestFirst' ? entries.reverse() : entries, reached };
}

/** Returns true if all lines have the same timestamp, so that the range must be extended. */
function isSingleTimestamp(entries: readonly LogEntry[]): boolean {
  return entries[0]?.micros === entries.at(-1)?.micros;
}

import { yieldToEventLoop } from '../../base/slices';
import type { Logger } from '../../base/logger';
import { isSqlite, type Store } from '../store/store';
import { sumLogBytes, deleteOldestLogLines } from '../store/logs/logLines';
import { type Micros, MICROS_PER_DAY } from '../store/micros';

/** Default limits. */
export const LOG_LIMITS = { days: 30, bytes: 2 * 1024 ** 3 } as const;
/**
 * Number of lines to delete per transaction. It is limited so that other work can run between
 * transactions.
 */
const BATCH_LINES = 2000;
const INTERVAL_MS = 10 * 60_000;
/**
 * Delay in milliseconds before the first check. It is long enough not to slow down startup and
 * short enough for a service that runs only briefly.
 */
const FIRST_POLL_MS = 30_000;

/** Retention limits for machine logs. */
export interface LogLimits {
  days?: number | undefined;
  bytes?: number | undefined;
}

/** Deletes the oldest lines if they are too old or if the total size of all lines is too large. */
export class LogRetention {
  /**
   * Upper bound for the total size. The size might still include lines that were deleted with their
   * parts.
   */
  private bytes: number | undefined;
  private stored = 0;
  private running: Promise<void> = Promise.resolve();
  private readonly timers: NodeJS.Timeout[] = [];
  private stopped = false;

  constructor(
    private readonly options: {
      store: Store;
      now: () => Micros;
      logger: Logger;
      limits?: LogLimits | undefined;
    },
  ) {}

  /** Starts periodic checks. */
  start(): void {
    const poll = (): void => {
      this.running = this.running.then(() => this.removeExpired());
    };
    this.timers.push(setTimeout(poll, FIRST_POLL_MS).unref());
    this.timers.push(setInterval(poll, INTERVAL_MS).unref());
  }

  /** Called when lines have been stored. */
  linesStored(bytes: number): void {
    this.stored += bytes;
    if (this.bytes !== undefined) this.bytes += bytes;
  }

  /** Deletes lines that exceed the limits. */
  async enforce(): Promise<void> {
    const { store, now, limits } = this.options;
    const oldest = now() - (limits?.days ?? LOG_LIMITS.days) * MICROS_PER_DAY;
    const maxBytes = limits?.bytes ?? LOG_LIMITS.bytes;
    // Other services can also store lines in a shared database, so the size is recomputed before it
    // is used.
    if (this.bytes === undefined || this.bytes > maxBytes || !isSqlite(store)) {
      this.bytes = await this.count();
    }
    while (!this.stopped) {
      const tooLarge = this.bytes > maxBytes;
      const before = tooLarge ? Number.MAX_SAFE_INTEGER : oldest;
      const { count, bytes } = await store
        .transaction()
        .execute((transaction) => deleteOldestLogLines(transaction, before, BATCH_LINES));
      this.bytes -= bytes;
      if (count === 0) return;
      // SQLite runs statements synchronously, so nothing else would run until the loop ends.
      await yieldToEventLoop();
    }
  }

  /** Stops work in progress. */
  async close(): Promise<void> {
    this.stopped = true;
    this.timers.forEach((timer) => {
      clearTimeout(timer);
    });
    await this.running;
  }

  private async count(): Promise<number> {
    const before = this.stored;
    let bytes = 0;
    for await (const sum of sumLogBytes(this.options.store)) {
      bytes += sum;
      await yieldToEventLoop();
      if (this.stopped) break;
    }
    return bytes + this.stored - before;
  }

  private async removeExpired(): Promise<void> {
    try {
      await this.enforce();
    } catch (error) {
      this.options.logger.warn('old log lines could not be deleted', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }
}

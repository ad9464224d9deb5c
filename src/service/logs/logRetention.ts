import type { Logger } from '../../base/logger';
import { isSqlite } from '../store/isSqlite';
import { bytesOfLogs, deleteOldestLogLines } from '../store/logs/logLines';
import { type Micros, MICROS_PER_DAY } from '../store/micros';
import type { Store } from '../store/store';

const MAX_AGE_DAYS = 30;
const MAX_BYTES = 2 * 1024 ** 3;
/** Lines a transaction: others go on in between. */
const BATCH_LINES = 2000;
const INTERVAL_MS = 10 * 60_000;
/** A service that hardly ever runs for long looks as well, but not while it starts. */
const FIRST_LOOK_MS = 30_000;

/** How much is kept of what machines logged. */
export interface LogLimits {
  days?: number | undefined;
  bytes?: number | undefined;
}

/** Deletes the oldest lines when they are too old, or all lines together too large. */
export class LogRetention {
  /** At least what all lines have: lines that went with their part are still in it. */
  #bytes: number | undefined;
  #stored = 0;
  #running: Promise<void> = Promise.resolve();
  readonly #timers: NodeJS.Timeout[] = [];
  #stopped = false;

  constructor(
    private readonly options: {
      store: Store;
      now: () => Micros;
      logger: Logger;
      limits?: LogLimits | undefined;
    },
  ) {}

  /** Looks now and then, from now on. */
  start(): void {
    const look = (): void => {
      this.#running = this.#running.then(() => this.#look());
    };
    this.#timers.push(setTimeout(look, FIRST_LOOK_MS).unref());
    this.#timers.push(setInterval(look, INTERVAL_MS).unref());
  }

  /** Hears of lines that were stored. */
  linesStored(bytes: number): void {
    this.#stored += bytes;
    if (this.#bytes !== undefined) {
      this.#bytes += bytes;
    }
  }

  /** Deletes what is too much. */
  async enforce(): Promise<void> {
    const { store, now, limits } = this.options;
    const oldest = now() - (limits?.days ?? MAX_AGE_DAYS) * MICROS_PER_DAY;
    const most = limits?.bytes ?? MAX_BYTES;
    // Others store lines of a shared database as well; here it is counted again where it matters.
    if (this.#bytes === undefined || this.#bytes > most || !isSqlite(store)) {
      this.#bytes = await this.#count();
    }
    while (!this.#stopped) {
      const tooLarge = this.#bytes > most;
      const before = tooLarge ? Number.MAX_SAFE_INTEGER : oldest;
      const { count, bytes } = await store
        .transaction()
        .execute((transaction) => deleteOldestLogLines(transaction, before, BATCH_LINES));
      this.#bytes -= bytes;
      if (count === 0) {
        return;
      }
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#timers.forEach((timer) => {
      clearTimeout(timer);
    });
    await this.#running;
  }

  async #count(): Promise<number> {
    const before = this.#stored;
    let bytes = 0;
    for await (const sum of bytesOfLogs(this.options.store)) {
      bytes += sum;
      if (this.#stopped) break;
    }
    return bytes + this.#stored - before;
  }

  async #look(): Promise<void> {
    try {
      await this.enforce();
    } catch (error) {
      this.options.logger.warn('old log lines could not be deleted', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }
}

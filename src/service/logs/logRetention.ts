import type { Logger } from '../../base/logger';
import { bytesOfLogs, deleteOldestLogLines } from '../store/logs/logLines';
import { type Micros, MICROS_PER_DAY } from '../store/micros';
import type { Store } from '../store/store';

const MAX_AGE_DAYS = 30;
const MAX_BYTES = 2 * 1024 ** 3;
/** Lines a transaction: others go on in between. */
const BATCH_LINES = 2000;
const INTERVAL_MS = 10 * 60_000;

/** How much is kept of what machines logged. */
export interface LogLimits {
  days?: number | undefined;
  bytes?: number | undefined;
}

/** Deletes the oldest lines when they are too old, or all lines together too large. */
export class LogRetention {
  #bytes: number | undefined;
  #running: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
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
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#look());
    }, INTERVAL_MS).unref();
  }

  /** Hears of lines that were stored. */
  linesStored(bytes: number): void {
    if (this.#bytes !== undefined) {
      this.#bytes += bytes;
    }
  }

  /** Deletes what is too much. */
  async enforce(): Promise<void> {
    const { store, now, limits } = this.options;
    const oldest = now() - (limits?.days ?? MAX_AGE_DAYS) * MICROS_PER_DAY;
    this.#bytes ??= await bytesOfLogs(store);
    while (!this.#stopped) {
      const tooLarge = this.#bytes > (limits?.bytes ?? MAX_BYTES);
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
    clearInterval(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    try {
      // Others may store and delete lines as well, and parts go with theirs.
      this.#bytes = undefined;
      await this.enforce();
    } catch (error) {
      this.options.logger.warn('old log lines could not be deleted', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }
}

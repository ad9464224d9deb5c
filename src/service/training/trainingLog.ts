import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import type { Micros } from '../store/micros';
import type { Store } from '../store/store';
import { insertTrainingLines, type NewTrainingLine } from '../store/training/trainingLogs';
import type { TrainingLine } from './trainingRunner';
import { systemSleep } from '../../base/clock';
import { toStoreError } from '../store/storeErrors';

/**
 * Maximum number of lines to save per job. This is enough for a week of epochs but limits runaway
 * programs.
 */
const MAX_LINES = 10_000;
const MAX_CHARS = 8 * 1024 * 1024;
const MAX_CHARS_PER_LINE = 16 * 1024;
const CUT = ' … (cut)';
const LEFT_OUT =
  'The training job logs more lines than can be stored. Of the remaining lines, only the last ones are available after it finishes.';
/**
 * Number of lines at the end of the log that are always saved because they contain the reason for a
 * failure.
 */
const LAST_LINES = 100;
/** Number of lines per transaction. */
const BATCH = 100;
/** Maximum number of unwritten lines. If there are more, the training job has to wait. */
const MAX_QUEUED_LINES = 500;

interface TrainingLogOptions {
  readonly store: Store;
  readonly now: () => Micros;
  readonly logger: Logger;
  readonly jobId: string;
  /**
   * Signal that aborts the wait for a store that can't be written to. Lines that aren't written by
   * then are lost.
   */
  readonly signal: AbortSignal;
}

/** Saves a job's log. Lines that arrive during a write are saved together in the next batch. */
export class TrainingLog {
  private readonly waiting: NewTrainingLine[] = [];
  /** Most recent lines after the limit was reached. */
  private readonly last: NewTrainingLine[] = [];
  private isWriting = false;
  private written: Promise<void> = Promise.resolve();
  private lines = 0;
  private characters = 0;
  private isFull = false;

  constructor(private readonly options: TrainingLogOptions) {}

  /**
   * Adds a line from a trainer. After the limit is reached, skips all lines except the last ones,
   * and logs that lines were skipped.
   */
  readonly take = async ({ level, message }: TrainingLine): Promise<void> => {
    const text = cut(message);
    if (this.isFull) {
      this.last.push(this.lineOf({ level, message: text }));
      this.last.splice(0, this.last.length - LAST_LINES);
      return;
    }
    this.lines += 1;
    this.characters += text.length;
    this.isFull = this.lines > MAX_LINES || this.characters > MAX_CHARS;
    this.push(this.isFull ? { level: 'warn', message: LEFT_OUT } : { level, message: text });
    const written = this.write();
    if (this.waiting.length >= MAX_QUEUED_LINES) await written;
  };

  /** Adds a line from the service itself, regardless of the limit. */
  async logMessage(level: TrainingLine['level'], message: string): Promise<void> {
    this.push({ level, message: cut(message) });
    await this.write();
  }

  /**
   * Waits until all lines are written. Must be called after the training job has ended and has
   * logged its last line.
   */
  async flush(): Promise<void> {
    this.waiting.push(...this.last.splice(0));
    await this.write();
  }

  private push(line: TrainingLine): void {
    this.waiting.push(this.lineOf(line));
  }

  private lineOf({ level, message }: TrainingLine): NewTrainingLine {
    // PostgreSQL can't store this character.
    const text = message.replaceAll('\0', '\u{FFFD}');
    return { logged_at: this.options.now(), level, message: text };
  }

  private write(): Promise<void> {
    if (!this.isWriting) {
      this.isWriting = true;
      this.written = this.writeAll();
    }
    return this.written;
  }

  private async writeAll(): Promise<void> {
    const { store, jobId, logger } = this.options;
    try {
      while (this.waiting.length > 0) {
        const lines = this.waiting.slice(0, BATCH);
        await retryWhileUnavailable(
          () =>
            store
              .transaction()
              .execute((transaction) => insertTrainingLines(transaction, jobId, lines)),
          { ...this.options, waitsForRoom: true },
        );
        this.waiting.splice(0, lines.length);
      }
    } catch (error) {
      logger.warn('lines of a training job are lost', { jobId, error: String(error) });
      this.waiting.length = 0;
    } finally {
      this.isWriting = false;
    }
  }
}

function cut(message: string): string {
  return message.length > MAX_CHARS_PER_LINE ? message.slice(0, MAX_CHARS_PER_LINE) + CUT : message;
}

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 10_000;

interface RetryOptions {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * True to also wait for disk space. Use this only for small writes, which succeed as soon as
   * anything is deleted.
   */
  readonly waitsForRoom: boolean;
  /** Called before the first wait. */
  readonly onWait?: () => Promise<void>;
}

/**
 * Reads or writes records and contents. Retries while the database or the bucket is busy or doesn't
 * respond, because the result of a training job is valuable. Always tries at least once, even if the
 * signal is aborted, because a job that ends while its service is stopping must not run again.
 * @throws any other error from the work; the signal's reason if the signal is aborted.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  { signal, logger, waitsForRoom, onWait }: RetryOptions,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      const known = error instanceof ConnectError ? error : toStoreError(error);
      const passes =
        known?.code === Code.Unavailable ||
        (waitsForRoom && known?.code === Code.ResourceExhausted);
      if (!passes) throw error;
      logger.warn('a training waits for the store', { error: known.rawMessage });
      if (wait === FIRST_WAIT_MS) await onWait?.();
      await systemSleep(wait, signal);
    }
  }
}

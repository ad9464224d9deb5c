import type { LogEntry } from '../../gen/viam/common/v1/common_pb';
import { logEntryMessage } from '../messages/logMessages';
import type { NewLogLine } from '../store/logs/logLines';
import type { StoreAccess } from '../store/store';

/**
 * Maximum number of lines to buffer per reader and to include in a batch. A line can be as large as
 * 1 MiB.
 */
const MAX_WAITING_LINES = 10_000;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const MAX_BATCH_LINES = 500;
const MAX_BATCH_BYTES = 2 * 1024 * 1024;

/** Batch of lines for a reader. */
export interface TailedLines {
  lines: readonly LogEntry[];
  /** Number of earlier lines that the reader missed because it was too slow. */
  missed: number;
}

/** Buffered line and its size in bytes. */
interface WaitingLine {
  entry: LogEntry;
  size: number;
}

/** Returns true if a line must be passed to a reader. */
export type LinePredicate = (line: LogEntry) => boolean;

/** Passes log lines from parts to live readers. A slow reader doesn't delay other readers. */
export class LogHub {
  private readonly tails = new Map<string, Set<LogTail>>();

  /** @param unread called with a part's ID when the part's last tail has been closed. */
  constructor(private readonly unread?: (partId: string) => void) {}

  /** Passes stored lines to the readers. */
  publish(partId: string, lines: readonly NewLogLine[]): void {
    const tails = this.tails.get(partId);
    if (tails === undefined) return;
    const waiting = lines.map((line) => ({ entry: logEntryMessage(line), size: line.size }));
    for (const tail of tails) {
      tail.add(waiting);
    }
  }

  /** Opens a tail of a part's lines, which starts now and ends when it is disposed of. */
  open(partId: string, filter: LinePredicate): LogTail {
    const tails = this.tails.get(partId) ?? new Set();
    const tail = new LogTail(filter, () => {
      if (tails.delete(tail) && tails.size === 0) {
        this.tails.delete(partId);
        this.unread?.(partId);
      }
    });
    this.tails.set(partId, tails.add(tail));
    return tail;
  }
}

/** Lines for one reader, some of which are buffered. */
export class LogTail implements Disposable {
  private waiting: WaitingLine[] = [];
  private bytes = 0;
  private missed = 0;
  private wake: (() => void) | undefined;

  constructor(
    private readonly filter: LinePredicate,
    private readonly closed: () => void,
  ) {}

  /** Adds lines to the buffer. If the buffer is too large, drops the oldest lines. */
  add(lines: readonly WaitingLine[]): void {
    for (const line of lines.filter(({ entry }) => this.filter(entry))) {
      this.waiting.push(line);
      this.bytes += line.size;
    }
    const surplus = this.surplus();
    this.missed += surplus;
    this.take(surplus);
    if (this.waiting.length > 0) this.wake?.();
  }

  /** Yields the lines as they arrive, until the signal aborts. */
  async *read(signal: AbortSignal): AsyncGenerator<TailedLines, void> {
    const wake = (): void => this.wake?.();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        if (this.waiting.length > 0) {
          const missed = this.missed;
          this.missed = 0;
          yield { lines: this.take(this.batch()).map(({ entry }) => entry), missed };
        } else {
          await this.more();
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  [Symbol.dispose](): void {
    this.closed();
  }

  private async more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.wake = () => {
      resolve(undefined);
    };
    await promise;
    this.wake = undefined;
  }

  /** Returns the number of lines to drop, starting with the oldest. */
  private surplus(): number {
    let count = Math.max(0, this.waiting.length - MAX_WAITING_LINES);
    let bytes = this.bytes - sumLineBytes(this.waiting.slice(0, count));
    for (; bytes > MAX_WAITING_BYTES && count < this.waiting.length - 1; count += 1) {
      bytes -= this.waiting[count]?.size ?? 0;
    }
    return count;
  }

  /** Returns the number of lines in the next batch, which is at least one. */
  private batch(): number {
    let bytes = 0;
    const end = this.waiting.slice(0, MAX_BATCH_LINES).findIndex(({ size }, index) => {
      bytes += size;
      return index > 0 && bytes > MAX_BATCH_BYTES;
    });
    return end < 0 ? MAX_BATCH_LINES : end;
  }

  private take(count: number): WaitingLine[] {
    const taken = this.waiting.splice(0, count);
    this.bytes -= sumLineBytes(taken);
    return taken;
  }
}

function sumLineBytes(lines: readonly WaitingLine[]): number {
  return lines.reduce((sum, { size }) => sum + size, 0);
}

/** Stores a part's lines and returns those that didn't exist before. */
export type WriteLines = (access: StoreAccess) => Promise<NewLogLine[]>;

/** Receives lines and passes them to live readers. */
export interface LogBroker {
  /**
   * Writes a part's lines in a transaction that stores either all of them or none.
   * @param lineCount maximum number of lines that the write inserts.
   * @returns the lines that didn't exist before.
   * @throws any error from the write or the store.
   */
  append(partId: string, lineCount: number, write: WriteLines): Promise<NewLogLine[]>;
  /**
   * Opens a tail of a part's lines. Until the tail is disposed of, it delivers every line that is
   * stored from now on.
   */
  open(partId: string, filter: LinePredicate): Promise<LogTail>;
  close(): Promise<void>;
}

import type { LogEntry } from '../../gen/viam/common/v1/common_pb';
import { logEntryMessage } from '../messages/logMessages';
import type { NewLogLine } from '../store/logs/logLines';

/** How much waits for a reader at most, and how much it gets at a time; a line may have 1 MiB. */
const MAX_WAITING_LINES = 10_000;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const MAX_BATCH_LINES = 500;
const MAX_BATCH_BYTES = 2 * 1024 * 1024;

/** What a reader gets. */
export interface TailedLines {
  lines: readonly LogEntry[];
  /** How many lines before these it has missed, because it took them too slowly. */
  missed: number;
}

/** A line that waits for readers, and how many bytes it has. */
interface WaitingLine {
  entry: LogEntry;
  size: number;
}

/** Tells which lines a reader wants. */
export type WantsLine = (line: LogEntry) => boolean;

/** Hands the lines of parts on to anyone who reads them live. Nobody waits for a slow reader. */
export class LogHub {
  readonly #tails = new Map<string, Set<LogTail>>();

  /** @param unread hears of parts whose last tail is gone. */
  constructor(private readonly unread?: (partId: string) => void) {}

  /** Hands on lines that were stored. */
  publish(partId: string, lines: readonly NewLogLine[]): void {
    const tails = this.#tails.get(partId);
    if (tails === undefined) {
      return;
    }
    const waiting = lines.map((line) => ({ entry: logEntryMessage(line), size: line.size }));
    for (const tail of tails) {
      tail.add(waiting);
    }
  }

  /** Opens a tail of a part's lines from this moment on; it is read until it is disposed of. */
  open(partId: string, wanted: WantsLine): LogTail {
    const tails = this.#tails.get(partId) ?? new Set();
    const tail = new LogTail(wanted, () => {
      if (tails.delete(tail) && tails.size === 0) {
        this.#tails.delete(partId);
        this.unread?.(partId);
      }
    });
    this.#tails.set(partId, tails.add(tail));
    return tail;
  }
}

/** The lines that one reader is given, and what of them waits for it. */
export class LogTail implements Disposable {
  #waiting: WaitingLine[] = [];
  #bytes = 0;
  #missed = 0;
  #wake: (() => void) | undefined;

  constructor(
    private readonly wanted: WantsLine,
    private readonly closed: () => void,
  ) {}

  /** Takes in lines; the oldest are left out when too many wait. */
  add(lines: readonly WaitingLine[]): void {
    for (const line of lines.filter(({ entry }) => this.wanted(entry))) {
      this.#waiting.push(line);
      this.#bytes += line.size;
    }
    const surplus = this.#surplus();
    this.#missed += surplus;
    this.#take(surplus);
    if (this.#waiting.length > 0) {
      this.#wake?.();
    }
  }

  /** The lines as they come, until the signal is aborted. */
  async *read(signal: AbortSignal): AsyncGenerator<TailedLines, void> {
    const wake = (): void => this.#wake?.();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        if (this.#waiting.length > 0) {
          const missed = this.#missed;
          this.#missed = 0;
          yield { lines: this.#take(this.#batch()).map(({ entry }) => entry), missed };
        } else {
          await this.#more();
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  [Symbol.dispose](): void {
    this.closed();
  }

  async #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#wake = () => {
      resolve(undefined);
    };
    await promise;
    this.#wake = undefined;
  }

  /** How many of the oldest lines are too many. */
  #surplus(): number {
    let count = Math.max(0, this.#waiting.length - MAX_WAITING_LINES);
    let bytes = this.#bytes - bytesOf(this.#waiting.slice(0, count));
    for (; bytes > MAX_WAITING_BYTES && count < this.#waiting.length - 1; count += 1) {
      bytes -= this.#waiting[count]?.size ?? 0;
    }
    return count;
  }

  /** How many lines go together; at least one. */
  #batch(): number {
    let bytes = 0;
    const end = this.#waiting.slice(0, MAX_BATCH_LINES).findIndex(({ size }, index) => {
      bytes += size;
      return index > 0 && bytes > MAX_BATCH_BYTES;
    });
    return end < 0 ? MAX_BATCH_LINES : end;
  }

  #take(count: number): WaitingLine[] {
    const taken = this.#waiting.splice(0, count);
    this.#bytes -= bytesOf(taken);
    return taken;
  }
}

function bytesOf(lines: readonly WaitingLine[]): number {
  return lines.reduce((sum, { size }) => sum + size, 0);
}

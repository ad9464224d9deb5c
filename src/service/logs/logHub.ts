import type { LogEntry } from '../../gen/viam/common/v1/common_pb';

/** How much waits for a reader at most, and how much it gets at a time; a line may have 1 MiB. */
const MAX_WAITING_LINES = 10_000;
const MAX_WAITING_LETTERS = 16 * 1024 * 1024;
const MAX_BATCH_LINES = 500;
const MAX_BATCH_LETTERS = 2 * 1024 * 1024;

/** What a reader gets. */
export interface TailedLines {
  lines: readonly LogEntry[];
  /** How many lines before these it has missed, because it took them too slowly. */
  missed: number;
}

/** Tells which lines a reader wants. */
export type WantsLine = (line: LogEntry) => boolean;

/** Hands the lines of parts on to whoever reads them live. Nobody waits for a slow reader. */
export class LogHub {
  readonly #tails = new Map<string, Set<LogTail>>();

  /** @param unread hears of parts whose last tail is gone. */
  constructor(private readonly unread?: (partId: string) => void) {}

  /** Whether somebody reads the lines of a part. */
  isTailed(partId: string): boolean {
    return this.#tails.has(partId);
  }

  /** Hands on lines that were stored. */
  publish(partId: string, lines: readonly LogEntry[]): void {
    for (const tail of this.#tails.get(partId) ?? []) {
      tail.add(lines);
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
  #waiting: LogEntry[] = [];
  #letters = 0;
  #missed = 0;
  #wake: (() => void) | undefined;

  constructor(
    private readonly wanted: WantsLine,
    private readonly closed: () => void,
  ) {}

  /** Takes in lines; the oldest are left out when too many wait. */
  add(lines: readonly LogEntry[]): void {
    for (const line of lines.filter(this.wanted)) {
      this.#waiting.push(line);
      this.#letters += lettersOf(line);
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
          yield { lines: this.#take(this.#batch()), missed };
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
    let letters = this.#waiting
      .slice(0, count)
      .reduce((sum, line) => sum - lettersOf(line), this.#letters);
    for (; letters > MAX_WAITING_LETTERS && count < this.#waiting.length - 1; count += 1) {
      letters -= lettersOf(this.#waiting[count]);
    }
    return count;
  }

  /** How many lines go together; at least one. */
  #batch(): number {
    let letters = 0;
    const end = this.#waiting.slice(0, MAX_BATCH_LINES).findIndex((line, index) => {
      letters += lettersOf(line);
      return index > 0 && letters > MAX_BATCH_LETTERS;
    });
    return end < 0 ? MAX_BATCH_LINES : end;
  }

  #take(count: number): LogEntry[] {
    const taken = this.#waiting.splice(0, count);
    this.#letters -= taken.reduce((sum, line) => sum + lettersOf(line), 0);
    return taken;
  }
}

/** About how much a line takes: what it says is most of a long one. */
function lettersOf(line: LogEntry | undefined): number {
  return line === undefined ? 0 : line.message.length + line.stack.length;
}

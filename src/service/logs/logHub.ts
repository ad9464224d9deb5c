import type { LogEntry } from '../../gen/viam/common/v1/common_pb';

/** How many lines wait for a reader at most, and how many it gets at a time. */
const MAX_WAITING = 10_000;
const MAX_BATCH = 500;

/** What a reader gets. */
export interface TailedLines {
  lines: readonly LogEntry[];
  /** How many lines before these it has missed, because it took them too slowly. */
  missed: number;
}

/** Hands the lines of parts on to whoever reads them live. Nobody waits for a slow reader. */
export class LogHub {
  readonly #tails = new Map<string, Set<Tail>>();

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

  /**
   * The lines of a part from now on, until the signal is aborted.
   * @param wanted tells which ones.
   */
  async *tail(
    partId: string,
    wanted: (line: LogEntry) => boolean,
    signal: AbortSignal,
  ): AsyncGenerator<TailedLines, void> {
    const tail = new Tail(wanted);
    const stop = (): void => {
      tail.end();
    };
    const tails = this.#tails.get(partId) ?? new Set();
    this.#tails.set(partId, tails.add(tail));
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const lines = await tail.next();
        if (lines !== undefined) {
          yield lines;
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
      tails.delete(tail);
      if (tails.size === 0) {
        this.#tails.delete(partId);
      }
    }
  }
}

/** What waits for one reader. */
class Tail {
  #waiting: LogEntry[] = [];
  #missed = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(private readonly wanted: (line: LogEntry) => boolean) {}

  add(lines: readonly LogEntry[]): void {
    this.#waiting.push(...lines.filter(this.wanted));
    const surplus = this.#waiting.length - MAX_WAITING;
    if (surplus > 0) {
      this.#waiting.splice(0, surplus);
      this.#missed += surplus;
    }
    if (this.#waiting.length > 0) {
      this.#wake?.();
    }
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async next(): Promise<TailedLines | undefined> {
    if (this.#waiting.length === 0 && !this.#ended) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      this.#wake = () => {
        resolve(undefined);
      };
      await promise;
      this.#wake = undefined;
    }
    if (this.#ended) {
      return undefined;
    }
    const missed = this.#missed;
    this.#missed = 0;
    return { lines: this.#waiting.splice(0, MAX_BATCH), missed };
  }
}

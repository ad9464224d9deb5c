import { MongoError } from './mongoError';

/** The longest time that a timer of Node can wait. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** A query whose documents are taken one by one, until it is ended or has no more. */
export class RunningQuery {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #documents: AsyncIterator<Uint8Array>;

  /** @param maxTimeMs how long it may take until its last document; 0 sets no limit. */
  constructor(run: (signal: AbortSignal) => AsyncIterable<Uint8Array>, maxTimeMs: number) {
    if (maxTimeMs > 0) {
      this.#timer = setTimeout(
        () => {
          this.#abort.abort(new MongoError('MaxTimeMSExpired', 'operation exceeded time limit'));
        },
        Math.min(maxTimeMs, LONGEST_WAIT_MS),
      );
    }
    this.#documents = run(this.#abort.signal)[Symbol.asyncIterator]();
  }

  /**
   * The next document; undefined after the last one.
   * @throws why it failed, or was ended.
   */
  async next(): Promise<Uint8Array | undefined> {
    try {
      this.#abort.signal.throwIfAborted();
      const result = await this.#documents.next();
      if (result.done === true) {
        clearTimeout(this.#timer);
        return undefined;
      }
      return result.value;
    } catch (error) {
      clearTimeout(this.#timer);
      // The code that ended it knows better than the query why.
      this.#abort.signal.throwIfAborted();
      throw error;
    }
  }

  /** Ends it wherever it is, and frees what it holds. Anyone who waits for a document is told. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#abort.abort(new MongoError('Interrupted', 'operation was interrupted'));
    // It may have failed, and anyone who takes its documents has been told.
    await this.#documents.return?.().catch(() => undefined);
  }
}

import { MongoError } from './mongoError';

/** Maximum delay of a Node.js timer. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Query that returns documents one at a time until it is stopped or exhausted. */
export class RunningQuery {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #documents: AsyncIterator<Uint8Array>;

  /** @param maxTimeMs maximum time until the last document is returned; 0 for no limit. */
  constructor(run: (signal: AbortSignal) => AsyncIterable<Uint8Array>, maxTimeMs: number) {
    if (maxTimeMs > 0) {
      this.#timer = setTimeout(
        () => {
          this.#abort.abort(new MongoError('MaxTimeMSExpired', 'operation exceeded time limit'));
        },
        Math.min(maxTimeMs, MAX_WAIT_MS),
      );
    }
    this.#documents = run(this.#abort.signal)[Symbol.asyncIterator]();
  }

  /**
   * Returns the next document; undefined after the last one.
   * @throws the reason why the query failed or was stopped.
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
      // The abort reason is more specific than the query's error.
      this.#abort.signal.throwIfAborted();
      throw error;
    }
  }

  /**
   * Stops the query, regardless of its state, and frees its resources. Callers that are waiting for
   * a document receive an error.
   */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#abort.abort(new MongoError('Interrupted', 'operation was interrupted'));
    // If the query failed, the consumer of its documents has already received the error.
    await this.#documents.return?.().catch(() => undefined);
  }
}

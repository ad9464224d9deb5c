import { exhausted } from '../errors';

export interface JobLaneSettings {
  /** How many are inside at a time. */
  width: number;
  /** How many may wait. */
  maxWaiting: number;
}

interface Waiting {
  enter: () => void;
}

/**
 * Lets few in at a time. Who waits gets in by turns of their owners, so that many of one owner do
 * not keep out another's; of one owner, who came first.
 */
export class JobLane {
  #inside = 0;
  /** The owner whose turn it is comes first. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(private readonly settings: JobLaneSettings) {}

  /**
   * Waits for its turn.
   * @returns what must be called when done, once.
   * @throws ResourceExhausted when too many wait, the signal's reason when it aborts.
   */
  async enter(owner: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#inside < this.settings.width) {
      this.#inside += 1;
    } else {
      await this.#wait(owner, signal);
    }
    let left = false;
    return () => {
      if (!left) {
        left = true;
        this.#leave();
      }
    };
  }

  async #wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting } = this.settings;
    const queue = this.#waiting.get(owner) ?? [];
    const all = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
    // Half is the most for one owner: the others find room.
    if (all >= maxWaiting || queue.length >= maxWaiting / 2) {
      throw exhausted('too many queries wait: try again later');
    }
    this.#waiting.set(owner, queue);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting = { enter: () => resolve(undefined) };
    queue.push(waiting);
    const aborted = (): void => {
      this.#forget(owner, waiting);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', aborted);
    }
  }

  /** Gives the place to the next. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#inside -= 1;
      return;
    }
    const [owner, [first, ...rest]] = next;
    // Behind the others: that makes the turns.
    this.#waiting.delete(owner);
    if (rest.length > 0) {
      this.#waiting.set(owner, rest);
    }
    first?.enter();
  }

  #forget(owner: string, gone: Waiting): void {
    const rest = (this.#waiting.get(owner) ?? []).filter((waiting) => waiting !== gone);
    if (rest.length > 0) {
      this.#waiting.set(owner, rest);
    } else {
      this.#waiting.delete(owner);
    }
  }
}

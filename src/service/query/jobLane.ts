import { exhausted } from '../errors';

export interface JobLaneSettings {
  /** Maximum number of concurrent jobs. */
  width: number;
  /**
   * Maximum number of concurrent jobs per owner. The remaining slots are reserved for other owners.
   */
  widthForOne: number;
  /** Maximum number of waiting jobs. */
  maxWaiting: number;
}

interface Waiting {
  enter: () => void;
}

/**
 * Fair semaphore. Waiting jobs enter round-robin by owner, so many jobs of one owner don't block
 * the jobs of other owners. The jobs of each owner enter in order.
 */
export class JobLane {
  readonly #inside = new Map<string, number>();
  /** Waiting jobs by owner. The first owner in the map is next. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(private readonly settings: JobLaneSettings) {}

  /**
   * Waits for a slot.
   * @returns a function that must be called once when the job is done.
   * @throws ResourceExhausted if too many jobs are waiting; the signal's reason when the signal
   *   aborts.
   */
  async enter(owner: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#hasRoom && this.#mayEnter(owner)) {
      this.#count(owner, 1);
    } else {
      await this.#wait(owner, signal);
    }
    let left = false;
    return () => {
      if (!left) {
        left = true;
        this.#count(owner, -1);
        this.#letNextIn();
      }
    };
  }

  async #wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting } = this.settings;
    const queue = this.#waiting.get(owner) ?? [];
    const all = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
    // Each owner can use at most half of the queue, which leaves room for other owners.
    if (all >= maxWaiting || queue.length >= maxWaiting / 2) {
      throw exhausted('too many queries are waiting: try again later');
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

  get #hasRoom(): boolean {
    return [...this.#inside.values()].reduce((sum, count) => sum + count, 0) < this.settings.width;
  }

  #mayEnter(owner: string): boolean {
    return (this.#inside.get(owner) ?? 0) < this.settings.widthForOne;
  }

  #count(owner: string, more: number): void {
    const count = (this.#inside.get(owner) ?? 0) + more;
    if (count > 0) {
      this.#inside.set(owner, count);
    } else {
      this.#inside.delete(owner);
    }
  }

  /** Gives a free slot to the next job that can use it. */
  #letNextIn(): void {
    const next = [...this.#waiting].find(([owner]) => this.#mayEnter(owner));
    if (next === undefined) {
      return;
    }
    const [owner, [first, ...rest]] = next;
    // Moves the owner to the end, which implements the round-robin.
    this.#waiting.delete(owner);
    if (rest.length > 0) {
      this.#waiting.set(owner, rest);
    }
    this.#count(owner, 1);
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

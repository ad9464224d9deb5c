import { exhausted } from '../errors';

export interface JobLaneSettings {
  /** How many are inside at a time. */
  width: number;
  /** How many of one owner are: the other places are left to others. */
  widthForOne: number;
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
  readonly #inside = new Map<string, number>();
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
    // Half is the most for one owner: the others find room.
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

  /** Gives the place that was left to the next who may have it. */
  #letNextIn(): void {
    const next = [...this.#waiting].find(([owner]) => this.#mayEnter(owner));
    if (next === undefined) {
      return;
    }
    const [owner, [first, ...rest]] = next;
    // Behind the others: that makes the turns.
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

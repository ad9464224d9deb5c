import type { Sleep } from '../../base/clock';

interface Failures {
  count: number;
  /** When the next attempt may be answered, in milliseconds of the clock. */
  nextAt: number;
  /** When they are forgotten. */
  until: number;
}

/** Failures that a person who mistypes may have before they are slowed down. */
export const FREE_FAILURES = 10;
const SPACING_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;
const FORGOTTEN_AFTER_MS = 60_000;
const MOST_KEPT = 10_000;

/**
 * Slows down who guesses: after some failures, attempts for the same user from the same address are
 * answered one a second, the right ones too, so that not waiting tells nothing.
 */
export class GuessBrake {
  readonly #failures = new Map<string, Failures>();

  constructor(
    private readonly sleep: Sleep,
    private readonly now: () => number = () => performance.now(),
    private readonly freeFailures = FREE_FAILURES,
  ) {}

  /**
   * Waits for the turn of an attempt.
   * @returns false when too many wait before it: the attempt is refused without a look at it.
   */
  async turn(key: string, signal: AbortSignal): Promise<boolean> {
    const failures = this.#failures.get(key);
    const now = this.now();
    if (failures === undefined || failures.count < this.freeFailures || failures.until < now) {
      return true;
    }
    const at = Math.max(failures.nextAt, now);
    if (at - now > LONGEST_WAIT_MS) {
      return false;
    }
    failures.nextAt = at + SPACING_MS;
    await this.sleep(at - now, signal);
    return true;
  }

  /** Notes a failed attempt, and returns how many there were without a minute in between. */
  failed(key: string): number {
    const now = this.now();
    const known = this.#failures.get(key);
    const count = known === undefined || known.until < now ? 0 : known.count;
    this.#failures.delete(key);
    this.#failures.set(key, {
      count: count + 1,
      nextAt: known?.nextAt ?? now,
      until: now + FORGOTTEN_AFTER_MS,
    });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MOST_KEPT && oldest !== undefined) {
      this.#failures.delete(oldest);
    }
    return count + 1;
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }
}

import type { Sleep } from '../../base/clock';

interface Failures {
  count: number;
  /** Earliest time of the next attempt, in milliseconds of the clock. */
  nextAt: number;
  /** Time at which the failures are cleared. */
  until: number;
}

/** Number of failures, such as typos, that are allowed before attempts are throttled. */
export const FREE_FAILURES = 10;
const SPACING_MS = 1_000;
const MAX_WAIT_MS = 10_000;
const FORGOTTEN_AFTER_MS = 60_000;
const MAX_TRACKED = 10_000;

/**
 * Login rate limiter. After a number of failures, processes only one attempt per second for the
 * same user from the same address. Also delays correct attempts, so the delay reveals nothing.
 */
export class LoginRateLimiter {
  readonly #failures = new Map<string, Failures>();

  constructor(
    private readonly sleep: Sleep,
    private readonly now: () => number = () => performance.now(),
    private readonly freeFailures = FREE_FAILURES,
  ) {}

  /**
   * Waits for the time slot of an attempt.
   * @returns false if too many attempts are waiting. The attempt must then be rejected without a
   *   check.
   */
  async waitForAttempt(key: string, signal: AbortSignal): Promise<boolean> {
    const failures = this.#failures.get(key);
    const now = this.now();
    if (failures === undefined || failures.count < this.freeFailures || failures.until < now) {
      return true;
    }
    const at = Math.max(failures.nextAt, now);
    if (at - now > MAX_WAIT_MS) {
      return false;
    }
    failures.nextAt = at + SPACING_MS;
    await this.sleep(at - now, signal);
    return true;
  }

  /**
   * Records a failed attempt. Returns the number of failures, each less than a minute after the
   * previous one.
   */
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
    if (this.#failures.size > MAX_TRACKED && oldest !== undefined) {
      this.#failures.delete(oldest);
    }
    return count + 1;
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }
}

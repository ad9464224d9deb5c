/** Minimum delay between two polls in milliseconds. */
const SHORTEST_MS = 2_000;
const MAX_ACTIVE_INTERVAL_MS = 10_000;
const MAX_INTERVAL_MS = 30_000;
const GROWTH = 1.25;
const GROWTH_IDLE = 2;

/** Result of polling an organization's jobs. */
export interface PollResult {
  /** True if a job is waiting, running, or being canceled. */
  readonly isInProgress: boolean;
  /** True if a job has changed since the previous poll. */
  readonly hasChanged: boolean;
}

/** Adaptive poll interval, which grows while there is little activity. */
export class PollInterval {
  private current = SHORTEST_MS;

  /** Returns the delay after a successful poll. @returns milliseconds */
  after({ isInProgress: isUnderWay, hasChanged }: PollResult): number {
    if (hasChanged) this.reset();
    else if (isUnderWay) this.grow(GROWTH, MAX_ACTIVE_INTERVAL_MS);
    else this.grow(GROWTH_IDLE, MAX_INTERVAL_MS);
    return this.current;
  }

  /** Returns the delay after a failed poll. @returns milliseconds */
  afterFailure(): number {
    this.grow(GROWTH_IDLE, MAX_INTERVAL_MS);
    return this.current;
  }

  /** Shortens the interval after a change, because more changes are likely. */
  reset(): void {
    this.current = SHORTEST_MS;
  }

  private grow(factor: number, longest: number): void {
    this.current = Math.min(this.current * factor, longest);
  }
}

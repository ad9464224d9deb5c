/** Minimum time in milliseconds between two polls. */
const SHORTEST_MS = 2_000;
const MAX_ACTIVE_INTERVAL_MS = 10_000;
const MAX_INTERVAL_MS = 30_000;
const GROWTH = 1.25;
const GROWTH_IDLE = 2;

/** Result of polling the jobs of an organization. */
export interface PollResult {
  /** True if a job is waiting, running, or being canceled. */
  readonly isUnderWay: boolean;
  /** True if a job has changed since the previous poll. */
  readonly hasChanged: boolean;
}

/** Adaptive poll interval: the less happens, the longer it is. */
export class PollInterval {
  private current = SHORTEST_MS;

  /** @returns milliseconds */
  after({ isUnderWay, hasChanged }: PollResult): number {
    if (hasChanged) this.hasten();
    else if (isUnderWay) this.grow(GROWTH, MAX_ACTIVE_INTERVAL_MS);
    else this.grow(GROWTH_IDLE, MAX_INTERVAL_MS);
    return this.current;
  }

  /** Returns the delay after a failed poll. @returns milliseconds */
  afterFailure(): number {
    this.grow(GROWTH_IDLE, MAX_INTERVAL_MS);
    return this.current;
  }

  /** Resets the interval after a change, because more changes are likely. */
  hasten(): void {
    this.current = SHORTEST_MS;
  }

  private grow(factor: number, longest: number): void {
    this.current = Math.min(this.current * factor, longest);
  }
}

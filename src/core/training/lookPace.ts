/** Minimum time in milliseconds between two polls. */
const SHORTEST_MS = 2_000;
const LONGEST_UNDER_WAY_MS = 10_000;
const LONGEST_MS = 30_000;
const GROWTH = 1.25;
const GROWTH_IDLE = 2;

/** Result of polling the jobs of an organization. */
export interface Look {
  /** True if a job is waiting, running, or being canceled. */
  readonly isUnderWay: boolean;
  /** True if a job has changed since the previous poll. */
  readonly hasChanged: boolean;
}

/** Adaptive poll interval: the less happens, the longer it is. */
export class LookPace {
  private current = SHORTEST_MS;

  /** @returns milliseconds */
  after({ isUnderWay, hasChanged }: Look): number {
    if (hasChanged) this.hasten();
    else if (isUnderWay) this.grow(GROWTH, LONGEST_UNDER_WAY_MS);
    else this.grow(GROWTH_IDLE, LONGEST_MS);
    return this.current;
  }

  /** Returns the delay after a failed poll. @returns milliseconds */
  afterFailure(): number {
    this.grow(GROWTH_IDLE, LONGEST_MS);
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

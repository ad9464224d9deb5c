/** Between two looks at jobs, in milliseconds. */
const SHORTEST_MS = 2_000;
const LONGEST_UNDER_WAY_MS = 10_000;
const LONGEST_MS = 30_000;
const GROWTH = 1.25;
const GROWTH_IDLE = 2;

/** What a look at the jobs of an organization came to. */
export interface Look {
  /** Something waits, runs or stops. */
  readonly isUnderWay: boolean;
  /** Something is other than at the look before. */
  readonly hasChanged: boolean;
}

/** How long to wait until jobs are looked at again: the less happens, the longer. */
export class LookPace {
  private current = SHORTEST_MS;

  /** @returns milliseconds */
  after({ isUnderWay, hasChanged }: Look): number {
    if (hasChanged) this.hasten();
    else if (isUnderWay) this.grow(GROWTH, LONGEST_UNDER_WAY_MS);
    else this.grow(GROWTH_IDLE, LONGEST_MS);
    return this.current;
  }

  /** The look failed. @returns milliseconds */
  afterFailure(): number {
    this.grow(GROWTH_IDLE, LONGEST_MS);
    return this.current;
  }

  /** Something has happened: more is likely to come soon. */
  hasten(): void {
    this.current = SHORTEST_MS;
  }

  private grow(factor: number, longest: number): void {
    this.current = Math.min(this.current * factor, longest);
  }
}

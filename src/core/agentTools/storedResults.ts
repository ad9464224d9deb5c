import type { Clock } from '../../base/clock';

/** Time in milliseconds for which a complete result can be read. */
const LIFETIME_MS = 15 * 60_000;
const MAX_RESULTS = 20;
/** Maximum length of a result in characters. */
export const MAX_RESULT_LENGTH = 1024 * 1024;

/** Complete result of a call whose answer was limited. */
export interface StoredResult {
  readonly id: string;
  /** Tool that was called. */
  readonly tool: string;
  /** Untrusted JSON without secrets. */
  readonly content: string;
  /** True if the result exceeded the maximum length. */
  readonly isCut: boolean;
  readonly expiresAt: Date;
}

/**
 * Complete results of calls whose answers were limited, in memory, for a limited time. The oldest
 * results are dropped if there are too many.
 */
export class StoredResults {
  private readonly results = new Map<string, StoredResult>();

  constructor(
    private readonly clock: Clock,
    private readonly createId: () => string,
  ) {}

  add(tool: string, content: string): StoredResult {
    this.evictExpired();
    const id = this.createId();
    const result = {
      id,
      tool,
      content: content.slice(0, MAX_RESULT_LENGTH),
      isCut: content.length > MAX_RESULT_LENGTH,
      expiresAt: new Date(this.clock.now().getTime() + LIFETIME_MS),
    };
    this.results.set(id, result);
    const [oldest] = this.results.keys();
    if (this.results.size > MAX_RESULTS && oldest !== undefined) this.results.delete(oldest);
    return result;
  }

  /** Returns a result; undefined if it doesn't exist or has expired. */
  get(id: string): StoredResult | undefined {
    this.evictExpired();
    return this.results.get(id);
  }

  /** Returns the results that haven't expired, oldest first. */
  list(): readonly StoredResult[] {
    this.evictExpired();
    return [...this.results.values()];
  }

  private evictExpired(): void {
    const now = this.clock.now().getTime();
    for (const [id, { expiresAt }] of this.results) {
      if (expiresAt.getTime() <= now) this.results.delete(id);
    }
  }
}

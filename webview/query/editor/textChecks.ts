import type { CheckedQuery, QueryFinding } from '../../../src/shared/query/editor';

/** Typing counts as over after so many milliseconds. */
const TYPING = 300;

export interface CheckedText {
  readonly findings: readonly QueryFinding[];
  /** Names, in order of appearance. */
  readonly parameters: readonly string[];
}

interface CheckOptions {
  readonly check: (query: CheckedQuery, signal: AbortSignal) => Promise<CheckedText>;
  /** What was found in a text that is still the newest one. */
  readonly onChecked: (checked: CheckedText, query: CheckedQuery) => void;
}

/** Has the newest text checked when typing is over; what is asked of an older one is aborted. */
export class TextChecks {
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private asking = new AbortController();

  constructor(private readonly options: CheckOptions) {}

  /** The text is another one. */
  changed(query: CheckedQuery): void {
    this.stop();
    this.waiting = setTimeout(() => void this.ask(query), TYPING);
  }

  /** Checks at once. */
  now(query: CheckedQuery): void {
    this.stop();
    void this.ask(query);
  }

  private stop(): void {
    clearTimeout(this.waiting);
    this.asking.abort();
  }

  private async ask(query: CheckedQuery): Promise<void> {
    const asking = new AbortController();
    this.asking = asking;
    try {
      const checked = await this.options.check(query, asking.signal);
      if (!asking.signal.aborted) this.options.onChecked(checked, query);
    } catch {
      // A text that could not be checked is shown without findings; the next change asks again.
    }
  }
}

import type { CheckedQuery, QueryFinding } from '../../../src/shared/query/editor';

/** Debounce time in milliseconds after typing. */
const TYPING = 300;

export interface CheckResult {
  readonly findings: readonly QueryFinding[];
  /** Names of the parameters, in order of appearance. */
  readonly parameters: readonly string[];
}

interface CheckOptions {
  readonly check: (query: CheckedQuery, signal: AbortSignal) => Promise<CheckResult>;
  /** Called with the result of a check if the checked text is still current. */
  readonly onChecked: (checked: CheckResult, query: CheckedQuery) => void;
}

/** Checks the current text when the user pauses typing; aborts requests for earlier text. */
export class TextChecks {
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private abortController = new AbortController();

  constructor(private readonly options: CheckOptions) {}

  /** Called when the text has changed. */
  changed(query: CheckedQuery): void {
    this.stop();
    this.waiting = setTimeout(() => void this.runCheck(query), TYPING);
  }

  /** Checks the text immediately. */
  now(query: CheckedQuery): void {
    this.stop();
    void this.runCheck(query);
  }

  private stop(): void {
    clearTimeout(this.waiting);
    this.abortController.abort();
  }

  private async runCheck(query: CheckedQuery): Promise<void> {
    const controller = new AbortController();
    this.abortController = controller;
    try {
      const checked = await this.options.check(query, controller.signal);
      if (!controller.signal.aborted) this.options.onChecked(checked, query);
    } catch {
      // If the check fails, the text is shown without diagnostics; the next change starts another
      // check.
    }
  }
}

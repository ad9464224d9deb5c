import type { TrainingLine } from '../trainingRunner';

/** Number of characters at the start of a line in which programs print the log level. */
const HEAD = 80;
const ERRORS = /: error: |(?:^|[\s[|:(])(?:ERROR|CRITICAL|FATAL)(?=[\s\]|:)]|$)|^E\d{4} /;
const WARNINGS = /(?:^|[\s[|:(])WARN(?:ING)?(?=[\s\]|:)]|$)|\b[A-Z]\w*Warning: |^W\d{4} /;
const TRACEBACK = 'Traceback (most recent call last):';

/** Parses the lines that a script writes to one of its streams. */
export class ScriptOutput {
  private inTraceback = false;
  private lastException: string | undefined;
  private last: string | undefined;

  /**
   * Detects the log level of a line in common formats of Python programs, based on keywords and
   * tracebacks.
   */
  read(message: string): TrainingLine {
    this.last = message;
    return { level: this.getLevel(message), message };
  }

  /** Reason for the script's failure, if this stream contains it. */
  get reason(): string | undefined {
    return this.lastException ?? this.last;
  }

  private getLevel(message: string): TrainingLine['level'] {
    if (message.startsWith(TRACEBACK)) {
      this.inTraceback = true;
      return 'error';
    }
    if (this.inTraceback) {
      this.inTraceback = /^\s/.test(message);
      if (!this.inTraceback) this.lastException = message;
      return 'error';
    }
    const head = message.slice(0, HEAD);
    if (ERRORS.test(head)) return 'error';
    return WARNINGS.test(head) ? 'warn' : 'info';
  }
}

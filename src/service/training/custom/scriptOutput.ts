import type { TrainingLine } from '../trainingRunner';

/** How far into a line programs say how bad it is. */
const HEAD = 80;
const ERRORS = /: error: |(?:^|[\s[|:(])(?:ERROR|CRITICAL|FATAL)(?=[\s\]|:)]|$)|^E\d{4} /;
const WARNINGS = /(?:^|[\s[|:(])WARN(?:ING)?(?=[\s\]|:)]|$)|\b[A-Z]\w*Warning: |^W\d{4} /;
const TRACEBACK = 'Traceback (most recent call last):';

/** Reads what a script writes to one of its streams, line by line. */
export class ScriptOutput {
  private inTraceback = false;
  private lastException: string | undefined;
  private last: string | undefined;

  /** How bad it is, as programs in Python say it: by a word, or by a traceback. */
  read(message: string): TrainingLine {
    this.last = message;
    return { level: this.levelOf(message), message };
  }

  /** What ended the script, as far as this stream tells. */
  get reason(): string | undefined {
    return this.lastException ?? this.last;
  }

  private levelOf(message: string): TrainingLine['level'] {
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

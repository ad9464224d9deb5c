import { BoundedLines } from '../core/modules/run/boundedLines';
import type { RunEvent } from '../core/modules/run/runMessages';

const MAX_LINES = 10_000;
const MAX_CHARACTERS = 1_000_000;

type LogEvent = Extract<RunEvent, { kind: 'log' }>;

/**
 * Sends lines to the editor as fast as it takes them: one message at a time, and lines that come in the meantime
 * together. Of more than the limits, the oldest are dropped and counted.
 */
export class LineSender {
  private readonly waiting = new BoundedLines({ lines: MAX_LINES, characters: MAX_CHARACTERS });
  private isSending = false;

  /** @param send sends an event, and calls back when the channel has taken it */
  constructor(private readonly send: (event: LogEvent, sent: () => void) => void) {}

  add(line: string): void {
    this.waiting.add(line);
    if (!this.isSending) this.flush();
  }

  /** Sends what waits at once, so that it comes before the next message. */
  flush(): void {
    if (this.waiting.lines.length === 0) return;
    this.isSending = true;
    this.send({ kind: 'log', ...this.waiting.take() }, () => {
      this.isSending = false;
      this.flush();
    });
  }
}

import { BoundedLines } from '../core/modules/run/boundedLines';
import type { RunEvent } from '../core/modules/run/runMessages';

const MAX_LINES = 10_000;
const MAX_CHARACTERS = 1_000_000;

type LogEvent = Extract<RunEvent, { kind: 'log' }>;

/**
 * Sends lines to the editor as fast as the editor accepts them. Sends one message at a time; the
 * next message contains all lines that have arrived in the meantime. Lines that exceed the limits
 * are dropped, oldest first, and counted.
 */
export class LineSender {
  private readonly waiting = new BoundedLines({ lines: MAX_LINES, characters: MAX_CHARACTERS });
  private isSending = false;

  /** @param send sends an event, and calls back when the channel has accepted it */
  constructor(private readonly send: (event: LogEvent, sent: () => void) => void) {}

  add(line: string): void {
    this.waiting.add(line);
    if (!this.isSending) this.flush();
  }

  /** Immediately sends all pending lines, so that they precede the next message. */
  flush(): void {
    if (this.waiting.lines.length === 0) return;
    this.isSending = true;
    this.send({ kind: 'log', ...this.waiting.take() }, () => {
      this.isSending = false;
      this.flush();
    });
  }
}

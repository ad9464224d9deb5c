import type { Readable } from 'node:stream';

const MAX_LINE_LENGTH = 10_000;
/** Marker that replaces the rest of a truncated line. */
const CUT_MARK = ' […]';

/**
 * Passes on each line of an output. Truncates long lines and marks them as truncated, because a
 * line can be endless.
 */
export function forwardLines(output: Readable, receive: (line: string) => void): void {
  const lines = new OutputLines(receive);
  output.setEncoding('utf8').on('data', (text: string) => lines.add(text));
  // A destroyed output doesn't fire `end`.
  for (const event of ['end', 'close'] as const) output.once(event, () => lines.finish());
}

class OutputLines {
  private line = '';
  private isCut = false;
  /**
   * True if the last character was a carriage return, which might be the first half of a CRLF line
   * break.
   */
  private isReturned = false;

  constructor(private readonly receive: (line: string) => void) {}

  add(text: string): void {
    const rest = this.isReturned && text.startsWith('\n') ? text.slice(1) : text;
    this.isReturned = text.endsWith('\r');
    const [first = '', ...others] = rest.split(/\r\n|[\r\n]/);
    this.append(first);
    for (const other of others) {
      this.endLine();
      this.append(other);
    }
  }

  finish(): void {
    if (this.line !== '') this.endLine();
  }

  private append(text: string): void {
    if (this.isCut) return;
    const room = MAX_LINE_LENGTH - this.line.length;
    this.line += text.slice(0, room);
    if (text.length <= room) return;
    // Sent immediately, because the end of the line might never arrive. A surrogate pair at the end
    // is not split.
    this.receive(`${this.line.replace(/[\ud800-\udbff]$/, '')}${CUT_MARK}`);
    [this.line, this.isCut] = ['', true];
  }

  private endLine(): void {
    if (!this.isCut) this.receive(this.line);
    [this.line, this.isCut] = ['', false];
  }
}

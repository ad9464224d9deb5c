import type { Readable } from 'node:stream';

const MAX_LINE_LENGTH = 10_000;
/** Stands for the rest of a longer line. */
const CUT_MARK = ' […]';

/** Passes on each line of an output. Of a long one, which may never end, only the beginning is kept, with a mark. */
export function followLines(output: Readable, receive: (line: string) => void): void {
  const lines = new OutputLines(receive);
  output.setEncoding('utf8').on('data', (text: string) => lines.add(text));
  // Without an end when the output is destroyed.
  for (const event of ['end', 'close'] as const) output.once(event, () => lines.finish());
}

class OutputLines {
  private line = '';
  private isCut = false;
  /** The last character was a carriage return, which can be the first half of a line end. */
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
    // At once, because its end may never come. A character of two units is not torn apart.
    this.receive(`${this.line.replace(/[\ud800-\udbff]$/, '')}${CUT_MARK}`);
    [this.line, this.isCut] = ['', true];
  }

  private endLine(): void {
    if (!this.isCut) this.receive(this.line);
    [this.line, this.isCut] = ['', false];
  }
}

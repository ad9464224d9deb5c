import { StringDecoder } from 'node:string_decoder';

/**
 * Maximum length of a line in characters, which corresponds to at most 16 KB in UTF-8. Longer lines
 * are split.
 */
const MAX_LINE_LENGTH = 4_000;
/**
 * Interval in milliseconds at which a line that is overwritten repeatedly, such as a progress bar,
 * is reported.
 */
const OVERWRITTEN_EVERY_MS = 5_000;
// Matches terminal escape sequences, for example for colors, and other invisible characters except
// tabs.
const ESCAPE = String.raw`\u001B`;
const BELL = String.raw`\u0007`;
const TERMINAL = new RegExp(
  String.raw`${ESCAPE}(?:\[[0-?]*[ -/]*[@-~]|\][^${BELL}${ESCAPE}]*${BELL}?|[@-Z\\^_-])`,
  'g',
);
const UNSEEN = /[^\P{Cc}\t]/gu;

/**
 * Yields the lines of a program's output as a terminal would display them, except for empty lines.
 * For a line that is overwritten with carriage returns, yields the intermediate state periodically
 * and then the final state.
 * @param now monotonic time in milliseconds.
 */
export async function* textLines(
  bytes: AsyncIterable<Uint8Array>,
  now: () => number = () => performance.now(),
): AsyncGenerator<string> {
  const lines = new Lines(now);
  const decoder = new StringDecoder('utf8');
  for await (const chunk of bytes) yield* lines.add(decoder.write(Buffer.from(chunk)));
  yield* lines.add(`${decoder.end()}\n`);
}

class Lines {
  private line = '';
  /** Text that ended with a carriage return and has not been reported yet. */
  private overwritten = '';
  private returned = false;
  private reportedAt = -Infinity;

  constructor(private readonly now: () => number) {}

  *add(text: string): Generator<string> {
    for (const [, written = '', end = ''] of text.matchAll(/([^\r\n]*)([\r\n]?)/g)) {
      if (this.returned && (written !== '' || end === '\r')) yield* this.startOver();
      this.line += written;
      while (this.line.length > MAX_LINE_LENGTH) yield* this.cut();
      if (end === '\r') this.returned = true;
      if (end === '\n') yield* this.endLine();
    }
  }

  private *startOver(): Generator<string> {
    this.returned = false;
    if (this.line === '') return;
    this.overwritten = this.line;
    this.line = '';
    const at = this.now();
    if (at - this.reportedAt < OVERWRITTEN_EVERY_MS) return;
    this.reportedAt = at;
    yield* shown(this.overwritten);
    this.overwritten = '';
  }

  private *endLine(): Generator<string> {
    yield* shown(this.line === '' ? this.overwritten : this.line);
    [this.line, this.overwritten, this.returned] = ['', '', false];
  }

  private *cut(): Generator<string> {
    yield* shown(this.line.slice(0, MAX_LINE_LENGTH));
    this.line = this.line.slice(MAX_LINE_LENGTH);
  }
}

function* shown(line: string): Generator<string> {
  const text = line.replace(TERMINAL, '').replace(UNSEEN, '').trimEnd();
  if (text !== '') yield text;
}

import { StringDecoder } from 'node:string_decoder';

/** Longer lines are cut into several. In UTF-8 that is 16 KB at most. */
const LONGEST_LINE = 4_000;
/** A line that is written over again and again, as bars of progress are, is told so often. */
const OVERWRITTEN_EVERY_MS = 5_000;
// The commands of terminals, such as those for colors; and what else nobody sees, but tabs.
const ESCAPE = String.raw`\u001B`;
const BELL = String.raw`\u0007`;
const TERMINAL = new RegExp(
  String.raw`${ESCAPE}(?:\[[0-?]*[ -/]*[@-~]|\][^${BELL}${ESCAPE}]*${BELL}?|[@-Z\\^_-])`,
  'g',
);
const UNSEEN = /[^\P{Cc}\t]/gu;

/**
 * The lines of text that a program writes, as a terminal would show them, without empty ones. Of a line
 * that carriage returns start over, its state now and then is told, and its last one.
 * @param now milliseconds, never less than before.
 */
export async function* textLines(
  bytes: AsyncIterable<Uint8Array>,
  now: () => number = () => performance.now(),
): AsyncGenerator<string> {
  const lines = new Lines(now);
  const decoder = new StringDecoder('utf8');
  for await (const piece of bytes) yield* lines.add(decoder.write(Buffer.from(piece)));
  yield* lines.add(`${decoder.end()}\n`);
}

class Lines {
  private line = '';
  /** Ended by a carriage return, and not told. */
  private overwritten = '';
  private returned = false;
  private toldAt = -Infinity;

  constructor(private readonly now: () => number) {}

  *add(text: string): Generator<string> {
    for (const [, written = '', end = ''] of text.matchAll(/([^\r\n]*)([\r\n]?)/g)) {
      if (this.returned && (written !== '' || end === '\r')) yield* this.startOver();
      this.line += written;
      while (this.line.length > LONGEST_LINE) yield* this.cut();
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
    if (at - this.toldAt < OVERWRITTEN_EVERY_MS) return;
    this.toldAt = at;
    yield* shown(this.overwritten);
    this.overwritten = '';
  }

  private *endLine(): Generator<string> {
    yield* shown(this.line === '' ? this.overwritten : this.line);
    [this.line, this.overwritten, this.returned] = ['', '', false];
  }

  private *cut(): Generator<string> {
    yield* shown(this.line.slice(0, LONGEST_LINE));
    this.line = this.line.slice(LONGEST_LINE);
  }
}

function* shown(line: string): Generator<string> {
  const text = line.replace(TERMINAL, '').replace(UNSEEN, '').trimEnd();
  if (text !== '') yield text;
}

import { MAX_ROW_LENGTH } from './csvRecords';
import { ReadingsError } from './readingsError';

export interface TextLine {
  /** Line number, starting at 1. */
  readonly line: number;
  readonly text: string;
}

/** Yields the nonblank lines of a text. @throws ReadingsError for a line that is too long. */
export async function* textLines(text: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let line = 1;
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split('\n');
    rest.push(first);
    length += first.length;
    if (length > MAX_ROW_LENGTH) throw new ReadingsError({ kind: 'longRow', line });
    for (const next of others) {
      const whole = rest.join('').trim();
      if (whole !== '') yield { line, text: whole };
      line += 1;
      rest = [next];
      length = next.length;
    }
  }
  const last = rest.join('').trim();
  if (last !== '') yield { line, text: last };
}

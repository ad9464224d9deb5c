export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Decoded text. The first chunk specifies the encoding. */
export interface TextChunk {
  readonly text: string;
  readonly encoding: TextEncoding;
}

const HEAD_BYTES = 4;

/**
 * Decodes UTF-8 and UTF-16, with or without a byte order mark, and removes the byte order mark.
 * @throws ReadingsError for other encodings.
 */
export async function* decodeText(content: AsyncIterable<Uint8Array>): AsyncGenerator<TextChunk> {
  let head: Uint8Array = new Uint8Array(0);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let encoding: TextEncoding = 'utf-8';
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch (cause) {
      throw new ReadingsError({ kind: 'encoding' }, cause);
    }
  };
  const begin = (): string => {
    encoding = detectEncoding(head);
    decoder = new TextDecoder(encoding, { fatal: true });
    return decode(head);
  };
  for await (const bytes of content) {
    if (decoder) {
      yield { text: decode(bytes), encoding };
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.length >= HEAD_BYTES) yield { text: begin(), encoding };
  }
  if (!decoder) yield { text: begin(), encoding };
  yield { text: decode(), encoding };
}

/**
 * Detects the encoding. Without a byte order mark, zero bytes at the start indicate UTF-16, because
 * tables don't start with NUL characters.
 */
function detectEncoding([first, second]: Uint8Array): TextEncoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== undefined && first !== 0 && second === 0) return 'utf-16le';
  if (first === 0 && second !== undefined && second !== 0) return 'utf-16be';
  return 'utf-8';
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const SAMPLED_LINES = 10;

/**
 * Detects the cell delimiter of a table from its first lines: the delimiter that splits as many of
 * the lines as possible into the same number of cells, and then into the most cells. A table with
 * one column has no delimiter and is parsed with commas.
 */
export function detectDelimiter(text: string): Delimiter {
  const lines = wholeLines(text);
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => occurrences(line, delimiter));
    const [inHeader = 0] = counts;
    const alike = counts.filter((count) => count === inHeader).length;
    // Decimal commas occur in lines, but not in the header.
    const score = inHeader === 0 ? 0 : (alike / counts.length) * 1_000 + inHeader;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/**
 * Returns the first lines, ignoring line breaks within quotes. The last line can be incomplete and
 * is included only if there is no other line.
 */
function wholeLines(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length && lines.length < SAMPLED_LINES; index += 1) {
    const sign = text[index];
    if (sign === '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && (sign === '\n' || sign === '\r')) {
      if (index > start) lines.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return lines.length === 0 ? [text.slice(start)] : lines;
}

function occurrences(line: string, delimiter: Delimiter): number {
  let count = 0;
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === delimiter) count += 1;
  }
  return count;
}

/** Reason that a file can't be imported as readings. */
export type ReadingsErrorReason =
  /** The file's encoding is neither UTF-8 nor UTF-16. */
  | { readonly kind: 'encoding' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'noRows' }
  /** The first line of a table contains values instead of column names. */
  | { readonly kind: 'noHeader' }
  | { readonly kind: 'sameColumn'; readonly column: string }
  | { readonly kind: 'manyColumns'; readonly columns: number; readonly max: number }
  /** A row exceeds the maximum length of a reading, usually because of an unclosed quote. */
  | { readonly kind: 'longRow'; readonly line: number }
  | { readonly kind: 'openQuote'; readonly line: number }
  /** The table can't be parsed; `reason` is the message from the parser. */
  | { readonly kind: 'malformed'; readonly line: number; readonly reason: string };

/** Error thrown when a file can't be imported as readings. The host localizes the reason. */
export class ReadingsError extends Error {
  override readonly name = 'ReadingsError';

  constructor(
    readonly reason: ReadingsErrorReason,
    cause?: unknown,
  ) {
    super(`The file was rejected: ${reason.kind}.`, { cause });
  }
}

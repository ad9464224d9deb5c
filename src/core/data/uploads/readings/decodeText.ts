import { ReadingsError } from './readingsError';

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

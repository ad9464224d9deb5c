import { Lexer, type Token, type TokensList } from 'marked';

/**
 * Maximum paragraph length in characters. The parser's run time is quadratic in the paragraph
 * length, and real paragraphs are shorter.
 */
const MAX_PARAGRAPH_LENGTH = 4_000;
/**
 * Maximum nesting depth of quotes and lists. The parser recurses for each level and parses the
 * contents again.
 */
const MAX_DEPTH = 20;

/**
 * Parses Markdown in bounded time for any input. Paragraphs that are too long and blocks that are
 * nested too deeply remain plain text.
 */
export class BoundedLexer extends Lexer {
  private depth = 0;

  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    if (this.depth >= MAX_DEPTH) {
      tokens.push({ type: 'paragraph', raw: src, text: src, tokens: [plain(src)] });
      return tokens;
    }
    this.depth += 1;
    try {
      return super.blockTokens(src, tokens, isClipped);
    } finally {
      this.depth -= 1;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= MAX_PARAGRAPH_LENGTH) return super.inlineTokens(src, tokens);
    tokens.push(plain(src));
    return tokens;
  }
}

function plain(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false };
}

import { Lexer, type Token, type TokensList } from 'marked';

/** The parser takes time with the square of a paragraph's length; nobody writes longer ones. */
const LONGEST_PARAGRAPH = 4_000;
/** Quotes and lists in one another: the parser calls itself for each, and reads all inside once more. */
const DEEPEST = 20;

/**
 * Reads Markdown without taking long, whatever it is given: paragraphs that are too long, and what nests too
 * deep, stay as they were written.
 */
export class BoundedLexer extends Lexer {
  private depth = 0;

  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    if (this.depth >= DEEPEST) {
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
    if (src.length <= LONGEST_PARAGRAPH) return super.inlineTokens(src, tokens);
    tokens.push(plain(src));
    return tokens;
  }
}

function plain(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false };
}

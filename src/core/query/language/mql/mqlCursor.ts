/** Context of the cursor, and the range that a suggestion replaces. */
export interface MqlCursor {
  /** Start of the typed text; in a string, the position after its quotation mark. */
  readonly from: number;
  /** End of the range to replace, including the closing quotation mark. */
  readonly to: number;
  readonly isQuoted: boolean;
  /** Text after the range. */
  readonly after: string;
}

const BARE = /[$\p{L}\p{N}_.-]*$/u;
/** Strings and comments, including unclosed ones. */
const PIECE = /"(?:[^"\\\n]|\\[^\n])*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** Returns the cursor's context at an offset: inside or outside a string. */
export function findCursor(text: string, offset: number): MqlCursor {
  const token = findTokenAt(text, offset);
  if (token?.written.startsWith('"')) {
    // An unclosed string extends to the end of its line, so it includes text that existed before
    // the user typed the quotation mark.
    const to = isClosed(token) ? token.end : offset;
    return { from: token.start + 1, to, isQuoted: true, after: text.slice(to) };
  }
  const from = offset - (BARE.exec(text.slice(0, offset))?.[0].length ?? 0);
  return { from, to: offset, isQuoted: false, after: text.slice(offset) };
}

/** Returns true if the typed text is already followed by a colon. */
export function isKeyBefore({ after }: MqlCursor): boolean {
  return /^\s*:/.test(after);
}

/** Returns true if an offset is within a comment. */
export function isInComment(text: string, offset: number): boolean {
  return findTokenAt(text, offset)?.written.startsWith('/') ?? false;
}

interface Token {
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the string or comment that contains an offset. If the token is unclosed, its end offset
 * also counts as inside.
 */
function findTokenAt(text: string, offset: number): Token | undefined {
  for (const { 0: written, index: start } of text.matchAll(PIECE)) {
    if (start >= offset) return undefined;
    const token = { written, start, end: start + written.length };
    if (offset < token.end || (offset === token.end && !isClosed(token))) return token;
  }
  return undefined;
}

function isClosed({ written }: Token): boolean {
  if (written.startsWith('"')) return written.length > 1 && written.endsWith('"');
  return written.startsWith('/*') && written.length > 3 && written.endsWith('*/');
}

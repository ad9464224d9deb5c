/** Where one is typing, and what of the text is replaced by a suggestion. */
export interface MqlPlace {
  /** Where what was typed begins; within a text, after its quotation mark. */
  readonly from: number;
  /** Where what is replaced ends, with the quotation mark that closes it. */
  readonly to: number;
  readonly isQuoted: boolean;
  /** What comes after. */
  readonly after: string;
}

const BARE = /[$\p{L}\p{N}_.-]*$/u;
/** Texts and comments, also those that do not end. */
const PIECE = /"(?:[^"\\\n]|\\[^\n])*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** What is typed at a place: within a text, or bare. */
export function placeIn(text: string, offset: number): MqlPlace {
  const piece = pieceAt(text, offset);
  if (piece?.written.startsWith('"')) {
    // An open text runs to the end of its line, past what was there before it was begun.
    const to = isClosed(piece) ? piece.end : offset;
    return { from: piece.start + 1, to, isQuoted: true, after: text.slice(to) };
  }
  const from = offset - (BARE.exec(text.slice(0, offset))?.[0].length ?? 0);
  return { from, to: offset, isQuoted: false, after: text.slice(offset) };
}

/** Whether what is typed is already the key of something. */
export function isKeyBefore({ after }: MqlPlace): boolean {
  return /^\s*:/.test(after);
}

/** Whether a place is within a comment. */
export function isInComment(text: string, offset: number): boolean {
  return pieceAt(text, offset)?.written.startsWith('/') ?? false;
}

interface Piece {
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/** The text or comment that a place is within; those without an end have it within them. */
function pieceAt(text: string, offset: number): Piece | undefined {
  for (const { 0: written, index: start } of text.matchAll(PIECE)) {
    if (start >= offset) return undefined;
    const piece = { written, start, end: start + written.length };
    if (offset < piece.end || (offset === piece.end && !isClosed(piece))) return piece;
  }
  return undefined;
}

function isClosed({ written }: Piece): boolean {
  if (written.startsWith('"')) return written.length > 1 && written.endsWith('"');
  return written.startsWith('/*') && written.length > 3 && written.endsWith('*/');
}

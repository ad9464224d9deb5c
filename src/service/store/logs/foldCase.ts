const BEYOND_ASCII = /\P{ASCII}/u;

/** Returns the case-folded form of a text, for case-insensitive searches. */
export function foldCase(text: string): string {
  // The lowercase form of Σ depends on its position in a word, which is unknown for substrings of
  // messages.
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Returns the case-folded message if it contains non-ASCII letters; otherwise, returns null. */
export function foldedMessage(message: string): string | null {
  return BEYOND_ASCII.test(message) ? foldCase(message) : null;
}

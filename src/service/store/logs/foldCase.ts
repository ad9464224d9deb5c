const BEYOND_ASCII = /\P{ASCII}/u;

/** A text by which others are found whatever the case of their letters. */
export function foldCase(text: string): string {
  // The small form of Σ depends on where in a word it stands, which pieces of messages do not tell.
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** A message folded, where it has letters other than those of ASCII; null where it has none. */
export function foldedMessage(message: string): string | null {
  return BEYOND_ASCII.test(message) ? foldCase(message) : null;
}

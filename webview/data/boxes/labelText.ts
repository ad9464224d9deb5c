/** Control characters, line ends, and the marks that turn the direction of text around. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/** Longer texts are cut in the list, in characters. */
const LONGEST = 120;

/** A label on one line, unable to disguise what stands beside it, and cut when it is long. */
export function labelText(label: string, longest = LONGEST): string {
  // Cut first: a label may be as long as a book.
  const start = label.length > longest ? label.slice(0, longest) : label;
  const safe = start.replace(UNSAFE, '\ufffd').replace(/[\ud800-\udbff]$/, '');
  return start === label ? safe : `${safe}…`;
}

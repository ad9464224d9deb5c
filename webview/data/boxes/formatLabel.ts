/** Control characters, line breaks, and marks that change the text direction. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/** Maximum length of a label in the list, in characters. */
const MAX_LABEL_LENGTH = 120;

/**
 * Returns a label on one line, truncated and without characters that could change how the
 * surrounding text looks.
 */
export function formatLabel(label: string, longest = MAX_LABEL_LENGTH): string {
  // Truncate the label first, because it can be very long.
  const start = label.length > longest ? label.slice(0, longest) : label;
  const safe = start.replace(UNSAFE, '\ufffd').replace(/[\ud800-\udbff]$/, '');
  return start === label ? safe : `${safe}…`;
}

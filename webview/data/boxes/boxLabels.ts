/** Maximum number of labels that have a key. */
const MAX_KEYS = 9;

/**
 * The labels in use, in an order that doesn't change during annotation, so that each label keeps
 * its number. New labels are added at the end.
 */
export class LabelNumbers {
  private labels: readonly string[] = [];
  /** The most recently used label. */
  last: string | undefined;

  get all(): readonly string[] {
    return this.labels;
  }

  /** The labels that have a key; a label's number is its index plus one. */
  get numbered(): readonly string[] {
    return this.labels.slice(0, MAX_KEYS);
  }

  add(labels: readonly string[]): void {
    this.labels = [...new Set([...this.labels, ...labels])];
  }

  /** Returns the label with a number from 1 to 9. */
  withNumber(number: number): string | undefined {
    return this.numbered[number - 1];
  }

  /** Returns the labels that contain the given text; labels that start with it come first. */
  matching(text: string, maxLabels: number): readonly string[] {
    const searchText = text.trim().toLowerCase();
    const ranked = this.labels
      .map((label) => ({ label, at: label.toLowerCase().indexOf(searchText) }))
      .filter(({ at }) => at >= 0);
    const first = ranked.filter(({ at }) => at === 0);
    const others = ranked.filter(({ at }) => at > 0);
    return [...first, ...others].slice(0, maxLabels).map(({ label }) => label);
  }
}

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

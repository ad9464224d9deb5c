/** Maximum number of labels with a key. */
const MAX_KEYS = 9;

/**
 * The labels in use, in an order that doesn't change during annotation, so that the number of a
 * label stays the same. New labels are last.
 */
export class LabelNumbers {
  private labels: readonly string[] = [];
  /** The last used label. */
  last: string | undefined;

  get all(): readonly string[] {
    return this.labels;
  }

  /** The labels with a key, whose number is their index plus one. */
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

  /** Returns the labels that match a text, those that start with it first. */
  matching(text: string, most: number): readonly string[] {
    const wanted = text.trim().toLowerCase();
    const ranked = this.labels
      .map((label) => ({ label, at: label.toLowerCase().indexOf(wanted) }))
      .filter(({ at }) => at >= 0);
    const first = ranked.filter(({ at }) => at === 0);
    const others = ranked.filter(({ at }) => at > 0);
    return [...first, ...others].slice(0, most).map(({ label }) => label);
  }
}

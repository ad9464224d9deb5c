/** How many labels have a key. */
const MOST_KEYS = 9;

/**
 * The labels in use, in an order that does not change while somebody annotates: the number of a label stays
 * the same. New ones come last.
 */
export class LabelNumbers {
  private labels: readonly string[] = [];
  /** The label that was given last. */
  last: string | undefined;

  get all(): readonly string[] {
    return this.labels;
  }

  /** Those with a key, whose number is one more than their place. */
  get numbered(): readonly string[] {
    return this.labels.slice(0, MOST_KEYS);
  }

  add(labels: readonly string[]): void {
    this.labels = [...new Set([...this.labels, ...labels])];
  }

  /** The label with a number from 1 to 9. */
  withNumber(number: number): string | undefined {
    return this.numbered[number - 1];
  }

  /** Labels that a text may be the beginning of, those that begin with it first. */
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

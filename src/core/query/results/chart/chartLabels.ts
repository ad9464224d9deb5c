/**
 * Text labels of an axis. They are numbered in order of appearance and drawn in the order of the
 * view.
 */
export class ChartLabels {
  private readonly numbers = new Map<string, number>();
  /** First position of each label in the view. */
  private readonly places: number[] = [];

  /** Returns the number of a label. @param place position of the label's row in the view */
  getLabelNumber(text: string, place: number): number {
    const known = this.numbers.get(text);
    if (known === undefined) {
      this.numbers.set(text, this.places.length);
      return this.places.push(place) - 1;
    }
    this.places[known] = Math.min(this.places[known] ?? place, place);
    return known;
  }

  /**
   * Returns the labels in drawing order, and a function that maps the number of a label to its
   * position.
   */
  inOrder(): { readonly labels: readonly string[]; readonly placeOf: (number: number) => number } {
    const texts = [...this.numbers.keys()];
    const order = texts.map((_, number) => number);
    order.sort((a, b) => (this.places[a] ?? 0) - (this.places[b] ?? 0));
    const placed = new Uint32Array(order.length);
    order.forEach((number, place) => (placed[number] = place));
    return {
      labels: order.map((number) => texts[number] ?? ''),
      placeOf: (number) => placed[number] ?? 0,
    };
  }
}

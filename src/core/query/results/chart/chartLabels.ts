/**
 * Text labels of an axis. They are numbered in order of appearance and drawn in the order of the
 * view.
 */
export class ChartLabels {
  private readonly numbers = new Map<string, number>();
  /** First position of each label in the view. */
  private readonly firstPositions: number[] = [];

  /** Returns the number of a label. @param position position of the label's row in the view */
  getLabelNumber(text: string, position: number): number {
    const known = this.numbers.get(text);
    if (known === undefined) {
      this.numbers.set(text, this.firstPositions.length);
      return this.firstPositions.push(position) - 1;
    }
    this.firstPositions[known] = Math.min(this.firstPositions[known] ?? position, position);
    return known;
  }

  /**
   * Returns the labels in drawing order, and a function that maps the number of a label to its
   * position.
   */
  inOrder(): {
    readonly labels: readonly string[];
    readonly getPosition: (number: number) => number;
  } {
    const texts = [...this.numbers.keys()];
    const order = texts.map((_, number) => number);
    order.sort((a, b) => (this.firstPositions[a] ?? 0) - (this.firstPositions[b] ?? 0));
    const positions = new Uint32Array(order.length);
    order.forEach((number, position) => (positions[number] = position));
    return {
      labels: order.map((number) => texts[number] ?? ''),
      getPosition: (number) => positions[number] ?? 0,
    };
  }
}

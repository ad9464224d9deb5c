import { type RowMove, toNearestMovedIndex } from '../ui/rowGeometry';

/** The selected rows, by index: one range from the anchor to the active row. */
export class RowSelection {
  private anchor: number | undefined;
  private head: number | undefined;
  private isAll = false;

  /** Index of the active row. */
  get active(): number | undefined {
    return this.head;
  }

  get all(): boolean {
    return this.isAll;
  }

  /** First and last indexes in the selection; undefined if no rows or all rows are selected. */
  get range(): { readonly from: number; readonly to: number } | undefined {
    const { anchor, head } = this;
    if (anchor === undefined || head === undefined || this.isAll) return undefined;
    return { from: Math.min(anchor, head), to: Math.max(anchor, head) };
  }

  has(index: number): boolean {
    const { range } = this;
    return this.isAll || (range !== undefined && index >= range.from && index <= range.to);
  }

  /** Returns the number of selected rows out of `count`. */
  countSelected(count: number): number {
    if (this.isAll) return count;
    return this.range ? this.range.to - this.range.from + 1 : 0;
  }

  /** Moves to a row and selects only that row, or extends the selection to it. */
  go(index: number, { extend = false } = {}): void {
    this.isAll = false;
    this.head = index;
    if (!extend) this.anchor = index;
    this.anchor ??= index;
  }

  selectAll(): void {
    this.isAll = true;
  }

  clear(): void {
    this.isAll = false;
    this.anchor = undefined;
    this.head = undefined;
  }

  /** Applies inserted, removed, and moved rows. */
  change(first: number, end: number, moves: readonly RowMove[], reset: boolean): void {
    if (reset || end <= first) {
      this.clear();
      return;
    }
    const toCurrentIndex = (index: number | undefined): number | undefined =>
      index === undefined
        ? undefined
        : Math.min(Math.max(toNearestMovedIndex(index, moves), first), end - 1);
    const { range } = this;
    if (range && toNearestMovedIndex(range.to, moves) < first) this.clear();
    this.anchor = toCurrentIndex(this.anchor);
    this.head = toCurrentIndex(this.head);
  }
}

import { nearestMovedPlace, type RowMove } from '../ui/rowGeometry';

/** Which rows are selected, by their places: one stretch, from where it began to where the keyboard is. */
export class RowSelection {
  private anchor: number | undefined;
  private head: number | undefined;
  private isAll = false;

  /** Where the keyboard is. */
  get active(): number | undefined {
    return this.head;
  }

  get all(): boolean {
    return this.isAll;
  }

  /** First and last place of what is selected; undefined when nothing or everything is. */
  get range(): { readonly from: number; readonly to: number } | undefined {
    const { anchor, head } = this;
    if (anchor === undefined || head === undefined || this.isAll) return undefined;
    return { from: Math.min(anchor, head), to: Math.max(anchor, head) };
  }

  has(place: number): boolean {
    const { range } = this;
    return this.isAll || (range !== undefined && place >= range.from && place <= range.to);
  }

  /** How many of `count` rows are selected. */
  countOf(count: number): number {
    if (this.isAll) return count;
    return this.range ? this.range.to - this.range.from + 1 : 0;
  }

  /** Goes to a row and selects it, or all up to it. */
  go(place: number, { extend = false } = {}): void {
    this.isAll = false;
    this.head = place;
    if (!extend) this.anchor = place;
    this.anchor ??= place;
  }

  selectAll(): void {
    this.isAll = true;
  }

  clear(): void {
    this.isAll = false;
    this.anchor = undefined;
    this.head = undefined;
  }

  /** Takes over that rows have come, gone or moved. */
  change(first: number, end: number, moves: readonly RowMove[], reset: boolean): void {
    if (reset || end <= first) {
      this.clear();
      return;
    }
    const kept = (place: number | undefined): number | undefined =>
      place === undefined
        ? undefined
        : Math.min(Math.max(nearestMovedPlace(place, moves), first), end - 1);
    const { range } = this;
    if (range && nearestMovedPlace(range.to, moves) < first) this.clear();
    this.anchor = kept(this.anchor);
    this.head = kept(this.head);
  }
}

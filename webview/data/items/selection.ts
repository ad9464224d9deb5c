import type { ItemPlacement, PlaceRange, SelectionRef } from '../../../src/shared/data/items';
import { orderedRanges, type PlaceRanges, placesIn, rangesHave, withoutRange } from './placeRanges';

/**
 * Which items are selected, by their places, and where the keyboard is. Places stay what they are within a
 * generation, so that nothing changes when more is read.
 */
export class Selection {
  private chosen: PlaceRanges = [];
  private isAll = false;
  private anchor: number | undefined;
  private head: number | undefined;
  /** What was selected before the stretch from the anchor on. */
  private base: PlaceRanges = [];
  private total = 0;

  /** Where the keyboard is. */
  get active(): number | undefined {
    return this.head;
  }

  /** All that the filter selects, whether it has been read or not. */
  get all(): boolean {
    return this.isAll;
  }

  get ranges(): PlaceRanges {
    return this.isAll ? orderedRanges([{ start: 0, end: this.total }]) : this.chosen;
  }

  get count(): number {
    return placesIn(this.ranges);
  }

  has(place: number): boolean {
    return this.isAll ? place < this.total : rangesHave(this.chosen, place);
  }

  /** Starts over, with so many items. */
  reset(count: number): void {
    this.clear();
    this.head = undefined;
    this.anchor = undefined;
    this.total = count;
  }

  /** There are so many items: what was beyond is not selected any more. */
  setCount(count: number): void {
    this.total = count;
    const beyond = { start: count, end: Infinity };
    this.chosen = withoutRange(this.chosen, beyond);
    this.base = withoutRange(this.base, beyond);
    if (this.head !== undefined)
      this.head = count === 0 ? undefined : Math.min(this.head, count - 1);
  }

  /** Selects one item alone. */
  choose(place: number): void {
    this.set([{ start: place, end: place + 1 }]);
    this.base = [];
    this.anchor = this.head = place;
  }

  /** Selects one item besides the others, or takes it out. */
  toggle(place: number): void {
    const one = { start: place, end: place + 1 };
    const { ranges } = this;
    this.set(this.has(place) ? withoutRange(ranges, one) : [...ranges, one]);
    this.base = this.chosen;
    this.anchor = this.head = place;
  }

  /** Selects all from where the last stretch began to a place; `add` keeps what was selected besides. */
  extendTo(place: number, { add = false } = {}): void {
    const anchor = this.anchor ?? this.head ?? place;
    if (!add) this.base = [];
    const stretch = { start: Math.min(anchor, place), end: Math.max(anchor, place) + 1 };
    this.set([...this.base, stretch]);
    this.anchor = anchor;
    this.head = place;
  }

  /** Goes to an item without selecting anything. */
  moveTo(place: number): void {
    this.base = this.ranges;
    this.anchor = this.head = place;
  }

  /** Selects stretches, and keeps `kept` besides. */
  selectRanges(ranges: readonly PlaceRange[], kept: PlaceRanges): void {
    this.set([...kept, ...ranges]);
  }

  selectAll(): void {
    this.isAll = true;
    this.chosen = [];
    this.base = [];
  }

  /** Selects nothing; the keyboard stays where it is. */
  clear(): void {
    this.isAll = false;
    this.chosen = [];
    this.base = [];
  }

  /** As the host is told of it. */
  ref(generation: number, placement: ItemPlacement): SelectionRef {
    return { generation, placement, ranges: this.ranges, all: this.isAll };
  }

  private set(ranges: readonly PlaceRange[]): void {
    this.isAll = false;
    this.chosen = orderedRanges(ranges);
  }
}

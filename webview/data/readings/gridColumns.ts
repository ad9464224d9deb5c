import type { ReadingColumn } from '../../../src/shared/data/readings';

/** A column that is shown, with where it is, in pixels. */
export interface PlacedColumn extends ReadingColumn {
  readonly left: number;
  readonly width: number;
}

const WIDTHS: Readonly<Record<string, number>> = { time: 190, tags: 110 };
const USUAL_WIDTH = 130;
const LEAST_WIDTH = 48;
const GREATEST_WIDTH = 900;
const PIXELS_PER_CHARACTER = 7.5;
const WIDEST_OF_NAME = 260;

/**
 * The columns of the table: which are shown, how wide they are and where. What a person chose is kept by
 * name, and so holds for what another filter finds.
 */
export class GridColumns {
  private readonly hidden = new Set<string>();
  private readonly widths = new Map<string, number>();
  private data: readonly ReadingColumn[] = [];
  private placed: readonly PlacedColumn[] = [];

  constructor(private readonly fixed: readonly ReadingColumn[]) {
    this.place();
  }

  get all(): readonly ReadingColumn[] {
    return [...this.fixed, ...this.data];
  }

  get shown(): readonly PlacedColumn[] {
    return this.placed;
  }

  /** How wide all that are shown are together. */
  get width(): number {
    const last = this.placed.at(-1);
    return last ? last.left + last.width : 0;
  }

  /** How many columns of payloads there are. */
  get count(): number {
    return this.data.length;
  }

  isHidden({ name }: ReadingColumn): boolean {
    return this.hidden.has(name);
  }

  /** Another listing begins. */
  clear(): void {
    this.data = [];
    this.place();
  }

  add(columns: readonly ReadingColumn[]): void {
    this.data = [...this.data, ...columns];
    this.place();
  }

  setHidden(columns: readonly ReadingColumn[], hidden: boolean): void {
    for (const { name } of columns) {
      if (hidden) this.hidden.add(name);
      else this.hidden.delete(name);
    }
    this.place();
  }

  resize(id: string, width: number): void {
    const column = this.placed.find((one) => one.id === id);
    if (!column) return;
    this.widths.set(column.name, Math.min(Math.max(width, LEAST_WIDTH), GREATEST_WIDTH));
    this.place();
  }

  /** Which of the shown columns are between two distances from the start, the end excluded. */
  between(left: number, right: number): { readonly start: number; readonly end: number } {
    const { placed } = this;
    const first = placed.findIndex((column) => column.left + column.width > left);
    if (first < 0) return { start: 0, end: 0 };
    const past = placed.findIndex(({ left: start }, index) => index > first && start >= right);
    return { start: first, end: past < 0 ? placed.length : past };
  }

  private place(): void {
    let left = 0;
    this.placed = this.all
      .filter((column) => !this.isHidden(column))
      .map((column) => {
        const placed = { ...column, left, width: this.widthOf(column) };
        left += placed.width;
        return placed;
      });
  }

  private widthOf({ id, name }: ReadingColumn): number {
    const usual = WIDTHS[id] ?? Math.max(USUAL_WIDTH, name.length * PIXELS_PER_CHARACTER + 30);
    return this.widths.get(name) ?? Math.min(usual, WIDEST_OF_NAME);
  }
}

import type { TableCell, TableColumn, TableRow } from './tableRow';

/** A column that is shown, with where it is, in pixels. */
export interface PlacedColumn extends TableColumn {
  readonly left: number;
  readonly width: number;
}

interface ColumnsOptions {
  /** Columns that are there from the beginning. */
  readonly fixed?: readonly TableColumn[];
  /** Pixels that columns are wide at first, by their ids; others by their names. */
  readonly widths?: Readonly<Record<string, number>>;
  /** Returns the initial widths of columns by their names, whatever they hold; others fit what they hold. */
  readonly widthsFor?: (columns: readonly TableColumn[]) => Readonly<Record<string, number>>;
  /** Names of columns that are not shown at first. */
  readonly hidden?: readonly string[];
  /** Puts columns in their order at first; absent: as they come. */
  readonly arrange?: (columns: readonly TableColumn[]) => readonly TableColumn[];
  /** Names of columns in the order that a person chose before. */
  readonly chosenOrder?: readonly string[];
}

const USUAL_WIDTH = 130;
const LEAST_WIDTH = 48;
const GREATEST_WIDTH = 900;
const PIXELS_PER_CHARACTER = 7.5;
const WIDEST_AT_FIRST = 260;
/** Numbers and times that are cut off read as others; the longest have 34 digits, a sign and a decimal point. */
const WIDEST_EXACT_AT_FIRST = 380;
/** UUIDs and hashes: their first and last characters are the same in many. */
const HEX_ID = /^[\da-f-]{32,40}$/i;
/** Beside the text of a header: the marks of its sort and its filter, and what is around them. */
const AROUND_NAME = 64;
const AROUND_TEXT = 16;

/**
 * The columns of a table: which are shown, how wide they are and where. What a person chose is kept by
 * name, and so holds for other rows as well.
 */
export class GridColumns {
  private readonly hidden: Set<string>;
  private readonly widths = new Map<string, number>();
  private readonly fixed: readonly TableColumn[];
  private readonly widthsFor: (columns: readonly TableColumn[]) => Readonly<Record<string, number>>;
  private readonly arrange: (columns: readonly TableColumn[]) => readonly TableColumn[];
  private chosenOrder: readonly string[];
  /** Widths at first by ids, as what they hold needs them. */
  private readonly fitting: Map<string, number>;
  private added: readonly TableColumn[] = [];
  private expected = 0;
  private placed: readonly PlacedColumn[] = [];

  constructor({
    fixed = [],
    widths = {},
    widthsFor = () => ({}),
    hidden = [],
    arrange = (columns) => columns,
    chosenOrder = [],
  }: ColumnsOptions = {}) {
    this.hidden = new Set(hidden);
    this.widthsFor = widthsFor;
    this.arrange = arrange;
    this.chosenOrder = chosenOrder;
    this.fixed = fixed;
    this.fitting = new Map(Object.entries(widths));
    this.place();
  }

  /** In their order, also those that are not shown. */
  get all(): readonly TableColumn[] {
    const columns = this.arrange([...this.fixed, ...this.added]);
    const chosen = new Map(this.chosenOrder.map((name, index) => [name, index]));
    const shared = columns.filter(({ name }) => chosen.has(name)).length;
    // The order was chosen for other rows.
    if (2 * shared < Math.max(chosen.size, columns.length)) return columns;
    const indexOf = ({ name }: TableColumn): number => chosen.get(name) ?? -1;
    const moved = columns
      .filter(({ name }) => chosen.has(name))
      .toSorted((a, b) => indexOf(a) - indexOf(b))
      .values();
    // Columns that were not there when the order was chosen stay where they are.
    return columns.map((column) =>
      chosen.has(column.name) ? (moved.next().value ?? column) : column,
    );
  }

  get shown(): readonly PlacedColumn[] {
    return this.placed;
  }

  /** How wide all that are shown are together. */
  get width(): number {
    const last = this.placed.at(-1);
    return last ? last.left + last.width : 0;
  }

  /** How many columns rows have, as far as is known. */
  get total(): number {
    return Math.max(this.fixed.length + this.added.length, this.expected);
  }

  /** How many columns were added to those that are always there. */
  get count(): number {
    return this.added.length;
  }

  nameOf(id: string): string | undefined {
    return (this.added.find((one) => one.id === id) ?? this.fixed.find((one) => one.id === id))
      ?.name;
  }

  /** Names of the columns that a person does not want to see, whether they are there or not. */
  get hiddenNames(): readonly string[] {
    return [...this.hidden];
  }

  isHidden({ name }: TableColumn): boolean {
    return this.hidden.has(name);
  }

  /** Other rows are shown. */
  clear(): void {
    this.added = [];
    this.expected = 0;
    this.place();
  }

  /** So many columns there are, also those that are not known yet. */
  expect(total: number): void {
    this.expected = total;
  }

  add(columns: readonly TableColumn[]): void {
    this.added = [...this.added, ...columns];
    this.place();
  }

  /** Marks added columns with the types of their values. @returns whether some are others than before. */
  setTypes(types: readonly string[]): boolean {
    const isSame = this.added.every(({ type = '' }, index) => type === (types[index] ?? ''));
    if (isSame) return false;
    this.added = this.added.map((column, index) => ({ ...column, type: types[index] }));
    this.place();
    return true;
  }

  /**
   * Makes columns as wide at first as some rows and their own names need them.
   *
   * @param measure returns the width of a cell in pixels, 0 where it cannot be measured
   */
  fit(rows: readonly TableRow[], measure: (cell: TableCell) => number): void {
    for (const { id, name } of this.added) {
      const longest = findLongest(rows.map((row) => row.get(id)));
      const ofText = (longest?.text.length ?? 0) * PIXELS_PER_CHARACTER + AROUND_TEXT;
      const ofCell = longest ? measure(longest) : 0;
      const ofName = name.length * PIXELS_PER_CHARACTER + AROUND_NAME;
      const most = longest && isExact(longest) ? WIDEST_EXACT_AT_FIRST : WIDEST_AT_FIRST;
      const width = Math.max(LEAST_WIDTH, ofText, ofCell, ofName);
      this.fitting.set(id, Math.ceil(Math.min(width, most)));
    }
    this.place();
  }

  setHidden(columns: readonly TableColumn[], hidden: boolean): void {
    for (const { name } of columns) {
      if (hidden) this.hidden.add(name);
      else this.hidden.delete(name);
    }
    this.place();
  }

  /**
   * Moves a column to the place of another one. Columns between them make room.
   * @returns the names of all columns in their order; undefined where nothing moves.
   */
  move(id: string, target: string): readonly string[] | undefined {
    const ids = this.all.map((column) => column.id);
    const [from, to] = [ids.indexOf(id), ids.indexOf(target)];
    if (from < 0 || to < 0 || from === to) return undefined;
    const names = this.all.map(({ name }) => name);
    const [name = ''] = names.splice(from, 1);
    names.splice(to, 0, name);
    this.chosenOrder = names;
    this.place();
    return names;
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
    const named = this.widthsFor([...this.fixed, ...this.added]);
    this.placed = this.all
      .filter((column) => !this.isHidden(column))
      .map((column) => {
        const placed = { ...column, left, width: this.widthOf(column, named) };
        left += placed.width;
        return placed;
      });
  }

  private widthOf({ id, name }: TableColumn, named: Readonly<Record<string, number>>): number {
    const usual = Math.max(USUAL_WIDTH, name.length * PIXELS_PER_CHARACTER + AROUND_NAME);
    const chosen = this.widths.get(name) ?? named[name];
    return chosen ?? this.fitting.get(id) ?? Math.min(usual, WIDEST_AT_FIRST);
  }
}

/** Returns whether a cell that is cut off would be taken for another. */
function isExact({ kind, text }: TableCell): boolean {
  return kind === 'number' || kind === 'time' || (kind === 'text' && HEX_ID.test(text));
}

function findLongest(cells: readonly (TableCell | undefined)[]): TableCell | undefined {
  return cells.reduce(
    (longest, cell) => ((cell?.text.length ?? -1) > (longest?.text.length ?? -1) ? cell : longest),
    undefined,
  );
}

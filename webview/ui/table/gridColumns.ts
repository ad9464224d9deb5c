import { getOwn } from '../../../src/base/getOwn';
import type { TableCell, TableColumn, TableRow } from './tableRow';

/** A visible column with its position in pixels. */
export interface PositionedColumn extends TableColumn {
  readonly left: number;
  readonly width: number;
}

interface ColumnsOptions {
  /** Columns that are always in the table. */
  readonly fixed?: readonly TableColumn[];
  /** Initial column widths in pixels, by column ID. */
  readonly widths?: Readonly<Record<string, number>>;
  /**
   * Returns the initial column widths by name, regardless of the columns' contents. Columns without
   * an entry are sized to fit their contents.
   */
  readonly widthsFor?: (columns: readonly TableColumn[]) => Readonly<Record<string, number>>;
  /** Names of the columns that are hidden initially. */
  readonly hidden?: readonly string[];
  /**
   * Returns the columns in their initial order; if absent, columns keep the order in which they
   * were added.
   */
  readonly arrange?: (columns: readonly TableColumn[]) => readonly TableColumn[];
  /** Names of columns in the order that the user chose before. */
  readonly chosenOrder?: readonly string[];
}

const USUAL_WIDTH = 130;
const MIN_WIDTH = 48;
const MAX_WIDTH = 900;
const PIXELS_PER_CHARACTER = 7.5;
const WIDEST_AT_FIRST = 260;
/**
 * Maximum initial width, in pixels, of columns whose values must not be truncated. A truncated
 * number or time looks like a different value. The longest numbers have 34 digits, a sign, and a
 * decimal point.
 */
const WIDEST_EXACT_AT_FIRST = 380;
/**
 * UUIDs and hashes, which must not be truncated because many have the same first or last
 * characters.
 */
const HEX_ID = /^[\da-f-]{32,40}$/i;
/** Space next to the name in a header, for the sort and filter icons and the padding. */
const AROUND_NAME = 64;
const AROUND_TEXT = 16;

/**
 * The columns in a table, with their visibility, widths, and positions. The user's choices are
 * stored by column name, so they still apply after the rows are replaced.
 */
export class GridColumns {
  private readonly hidden: Set<string>;
  private readonly widths = new Map<string, number>();
  private readonly fixed: readonly TableColumn[];
  private readonly widthsFor: (columns: readonly TableColumn[]) => Readonly<Record<string, number>>;
  private readonly arrange: (columns: readonly TableColumn[]) => readonly TableColumn[];
  private chosenOrder: readonly string[];
  /** Initial widths that fit the columns' contents, by column ID. */
  private readonly fitting: Map<string, number>;
  private added: readonly TableColumn[] = [];
  private expected = 0;
  private positionedColumns: readonly PositionedColumn[] = [];

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
    this.layOut();
  }

  /** All columns in order, including the hidden ones. */
  get all(): readonly TableColumn[] {
    const columns = this.arrange([...this.fixed, ...this.added]);
    const chosen = new Map(this.chosenOrder.map((name, index) => [name, index]));
    const shared = columns.filter(({ name }) => chosen.has(name)).length;
    // The saved order was chosen for a different set of columns.
    if (2 * shared < Math.max(chosen.size, columns.length)) return columns;
    const indexOf = ({ name }: TableColumn): number => chosen.get(name) ?? -1;
    const moved = columns
      .filter(({ name }) => chosen.has(name))
      .toSorted((a, b) => indexOf(a) - indexOf(b))
      .values();
    // Columns that aren't part of the saved order keep their positions.
    return columns.map((column) =>
      chosen.has(column.name) ? (moved.next().value ?? column) : column,
    );
  }

  get shown(): readonly PositionedColumn[] {
    return this.positionedColumns;
  }

  /** Total width of the visible columns. */
  get width(): number {
    const last = this.positionedColumns.at(-1);
    return last ? last.left + last.width : 0;
  }

  /** Total number of columns in the rows, if known. */
  get total(): number {
    return Math.max(this.fixed.length + this.added.length, this.expected);
  }

  /** Number of columns that were added after the fixed columns. */
  get count(): number {
    return this.added.length;
  }

  getName(id: string): string | undefined {
    return (this.added.find((one) => one.id === id) ?? this.fixed.find((one) => one.id === id))
      ?.name;
  }

  /**
   * Names of the columns that the user has hidden, including columns that these rows don't have.
   */
  get hiddenNames(): readonly string[] {
    return [...this.hidden];
  }

  isHidden({ name }: TableColumn): boolean {
    return this.hidden.has(name);
  }

  /** Removes the added columns because the rows changed. */
  clear(): void {
    this.added = [];
    this.expected = 0;
    this.layOut();
  }

  /** Sets the total number of columns, including columns that aren't known yet. */
  expect(total: number): void {
    this.expected = total;
  }

  add(columns: readonly TableColumn[]): void {
    this.added = [...this.added, ...columns];
    this.layOut();
  }

  /**
   * Sets the value types for the added columns.
   * @returns true if a type changed.
   */
  setTypes(types: readonly string[]): boolean {
    const isSame = this.added.every(({ type = '' }, index) => type === (types[index] ?? ''));
    if (isSame) return false;
    this.added = this.added.map((column, index) => ({ ...column, type: types[index] }));
    this.layOut();
    return true;
  }

  /**
   * Sets the initial column widths to fit the given rows and the column names.
   *
   * @param measure returns the width of a cell in pixels, or 0 if the cell can't be measured
   */
  fit(rows: readonly TableRow[], measure: (cell: TableCell) => number): void {
    for (const { id, name } of this.added) {
      const longest = findLongest(rows.map((row) => row.get(id)));
      const ofText = (longest?.text.length ?? 0) * PIXELS_PER_CHARACTER + AROUND_TEXT;
      const ofCell = longest ? measure(longest) : 0;
      const ofName = name.length * PIXELS_PER_CHARACTER + AROUND_NAME;
      const maxWidth = longest && isExact(longest) ? WIDEST_EXACT_AT_FIRST : WIDEST_AT_FIRST;
      const width = Math.max(MIN_WIDTH, ofText, ofCell, ofName);
      this.fitting.set(id, Math.ceil(Math.min(width, maxWidth)));
    }
    this.layOut();
  }

  setHidden(columns: readonly TableColumn[], hidden: boolean): void {
    for (const { name } of columns) {
      if (hidden) this.hidden.add(name);
      else this.hidden.delete(name);
    }
    this.layOut();
  }

  /**
   * Moves a column to a target column's position and shifts the columns between them.
   * @returns the names of all columns in order; undefined if nothing moves.
   */
  move(id: string, target: string): readonly string[] | undefined {
    const ids = this.all.map((column) => column.id);
    const [from, to] = [ids.indexOf(id), ids.indexOf(target)];
    if (from < 0 || to < 0 || from === to) return undefined;
    const names = this.all.map(({ name }) => name);
    const [name = ''] = names.splice(from, 1);
    names.splice(to, 0, name);
    this.chosenOrder = names;
    this.layOut();
    return names;
  }

  resize(id: string, width: number): void {
    const column = this.positionedColumns.find((one) => one.id === id);
    if (!column) return;
    this.widths.set(column.name, Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH));
    this.layOut();
  }

  /**
   * Returns the range of the visible columns (end exclusive) between two distances from the start.
   */
  between(left: number, right: number): { readonly start: number; readonly end: number } {
    const { positionedColumns } = this;
    const first = positionedColumns.findIndex((column) => column.left + column.width > left);
    if (first < 0) return { start: 0, end: 0 };
    const past = positionedColumns.findIndex(
      ({ left: start }, index) => index > first && start >= right,
    );
    return { start: first, end: past < 0 ? positionedColumns.length : past };
  }

  private layOut(): void {
    let left = 0;
    const named = this.widthsFor([...this.fixed, ...this.added]);
    this.positionedColumns = this.all
      .filter((column) => !this.isHidden(column))
      .map((column) => {
        const positionedColumn = { ...column, left, width: this.getColumnWidth(column, named) };
        left += positionedColumn.width;
        return positionedColumn;
      });
  }

  private getColumnWidth(
    { id, name }: TableColumn,
    named: Readonly<Record<string, number>>,
  ): number {
    const usual = Math.max(USUAL_WIDTH, name.length * PIXELS_PER_CHARACTER + AROUND_NAME);
    const chosen = this.widths.get(name) ?? getOwn(named, name);
    return chosen ?? this.fitting.get(id) ?? Math.min(usual, WIDEST_AT_FIRST);
  }
}

/** Returns true if a truncated cell could be mistaken for a different value. */
function isExact({ kind, text }: TableCell): boolean {
  return kind === 'number' || kind === 'time' || (kind === 'text' && HEX_ID.test(text));
}

function findLongest(cells: readonly (TableCell | undefined)[]): TableCell | undefined {
  return cells.reduce(
    (longest, cell) => ((cell?.text.length ?? -1) > (longest?.text.length ?? -1) ? cell : longest),
    undefined,
  );
}

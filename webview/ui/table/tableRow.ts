/** A table column, which users identify by its name. */
export interface TableColumn {
  readonly id: string;
  readonly name: string;
  /** Type of the column's values, such as `decimal`, if known. */
  readonly type?: string | undefined;
}

export interface TableCell {
  /** Name of the cell's style, such as `number`. */
  readonly kind: string;
  /** The cell's text, on one line. */
  readonly text: string;
}

/** The cells in a row by column ID. */
export type TableRow = ReadonlyMap<string, TableCell>;

export function tableRow(cells: readonly (TableCell & { readonly column: string })[]): TableRow {
  return new Map(cells.map((cell) => [cell.column, cell]));
}

/** Sort direction of a column. */
export type SortDirection = 'ascending' | 'descending';

/** A column of a table; its name is what people choose it by. */
export interface TableColumn {
  readonly id: string;
  readonly name: string;
  /** Of its values, such as `decimal`, where it is known. */
  readonly type?: string | undefined;
}

export interface TableCell {
  /** Names the look of the cell, such as `number`. */
  readonly kind: string;
  /** On one line. */
  readonly text: string;
}

/** The cells that a row has, by the ids of their columns. */
export type TableRow = ReadonlyMap<string, TableCell>;

export function tableRow(cells: readonly (TableCell & { readonly column: string })[]): TableRow {
  return new Map(cells.map((cell) => [cell.column, cell]));
}

/** How a column is sorted. */
export type SortDirection = 'ascending' | 'descending';

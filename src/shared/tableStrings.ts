/** Strings of a table with one cell per value. */
export interface GridStrings {
  readonly label: string;
  readonly loading: string;
  /** Description of the keys for screen readers. */
  readonly keys: string;
  readonly sortHint: string;
  readonly resize: string;
  /**
   * Hint for filtering by a column, only for tables with filters. The next string marks a filtered
   * column.
   */
  readonly filterHint?: string;
  readonly filtered?: string;
}

/** Strings for the actions of all tables. */
export interface TableToolStrings {
  readonly label: string;
  readonly columns: string;
  readonly exportAll: string;
  readonly exportHint: string;
  readonly more: string;
  readonly copyCell: string;
  readonly copyRows: string;
  readonly copyRowsAsJson: string;
  readonly copyRowsAsMarkdown: string;
}

/** Strings of a list of columns with checkboxes. */
export interface ChooserStrings {
  readonly label: string;
  readonly search: string;
  readonly showAll: string;
  readonly hideAll: string;
  readonly close: string;
  /** {0} is the number of matching columns that aren't listed. */
  readonly unlistedColumns: string;
  readonly none: string;
}

/** Strings for showing the complete content of a cell or row. */
export interface ViewerStrings {
  /** {0} is the column's name. */
  readonly cell: string;
  readonly row: string;
  readonly showRow: string;
  readonly copy: string;
  readonly close: string;
  readonly shortened: string;
  readonly emptyContent: string;
}

/** Strings for the table below a chart, which shows statistics about the chart. */
export interface ChartTableStrings {
  readonly table: string;
  readonly series: string;
  readonly count: string;
  readonly least: string;
  readonly greatest: string;
  readonly mean: string;
  readonly first: string;
  readonly last: string;
}

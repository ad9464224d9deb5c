/** What a table with a cell for each value says. */
export interface GridStrings {
  readonly label: string;
  readonly loading: string;
  /** What the keys do, for screen readers. */
  readonly keys: string;
  readonly sortHint: string;
  readonly resize: string;
  /** For tables that can be filtered: by a column, and that they are. */
  readonly filterHint?: string;
  readonly filtered?: string;
}

/** What can be done with any table. */
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

/** What a list of columns with boxes to tick says. */
export interface ChooserStrings {
  readonly label: string;
  readonly search: string;
  readonly showAll: string;
  readonly hideAll: string;
  readonly close: string;
  /** {0} columns match besides those that are listed. */
  readonly further: string;
  readonly none: string;
}

/** What a cell or row that is shown as a whole says. */
export interface ViewerStrings {
  /** {0} is the column's name. */
  readonly cell: string;
  readonly row: string;
  readonly showRow: string;
  readonly copy: string;
  readonly close: string;
  readonly shortened: string;
  readonly nothing: string;
}

/** What the table below a chart says, which tells in numbers what is drawn. */
export interface FigureStrings {
  readonly table: string;
  readonly series: string;
  readonly count: string;
  readonly least: string;
  readonly greatest: string;
  readonly mean: string;
  readonly first: string;
  readonly last: string;
}

import type { fixedColumns } from './readings';

/** What the tab of readings says. The webview fills in what is in braces. */
export interface ReadingStrings {
  readonly views: {
    readonly label: string;
    readonly table: string;
    readonly chart: string;
    readonly latest: string;
  };
  readonly tools: {
    readonly label: string;
    readonly columns: string;
    readonly exportAll: string;
    readonly exportHint: string;
    readonly more: string;
    readonly newestFirst: string;
    readonly oldestFirst: string;
    readonly timesInUtc: string;
    readonly copyCell: string;
    readonly copyRows: string;
    readonly copyRowsAsJson: string;
  };
  readonly table: {
    readonly label: string;
    readonly columnNames: Readonly<Record<(typeof fixedColumns)[number], string>>;
    readonly loading: string;
    /** What the keys do, for screen readers. */
    readonly keys: string;
    readonly sortHint: string;
    readonly resize: string;
  };
  readonly columns: {
    readonly label: string;
    readonly search: string;
    readonly showAll: string;
    readonly hideAll: string;
    readonly close: string;
    /** {0} columns match besides those that are listed. */
    readonly further: string;
    readonly none: string;
  };
  readonly status: {
    /** {0} of {1} readings. */
    readonly read: string;
    readonly all: string;
    readonly sorted: string;
    readonly readAll: string;
    readonly readMost: string;
    readonly reading: string;
    readonly stop: string;
    readonly full: string;
    readonly further: string;
    readonly selectedOne: string;
    readonly selected: string;
  };
  readonly viewer: {
    /** {0} is the column's name. */
    readonly cell: string;
    readonly row: string;
    readonly showRow: string;
    readonly copy: string;
    readonly close: string;
    readonly shortened: string;
    readonly nothing: string;
  };
  readonly states: {
    readonly loading: string;
    readonly empty: string;
    readonly emptyHint: string;
    readonly failed: string;
    readonly retry: string;
  };
  readonly chart: {
    readonly label: string;
    readonly choose: string;
    readonly chooseHint: string;
    readonly noNumbers: string;
    readonly keys: string;
    /** {0} points from {1} to {2}. */
    readonly points: string;
    readonly rows: string;
    readonly thinned: string;
    readonly leftOut: string;
    readonly mostColumns: string;
    readonly table: string;
    readonly series: string;
    readonly count: string;
    readonly least: string;
    readonly greatest: string;
    readonly mean: string;
    readonly first: string;
    readonly last: string;
    readonly wholeSpan: string;
    readonly nothing: string;
  };
  readonly latest: {
    readonly label: string;
    readonly resource: string;
    readonly method: string;
    readonly when: string;
    readonly value: string;
    readonly nothing: string;
    /** {0} resources among {1} readings. */
    readonly among: string;
    readonly refresh: string;
  };
}

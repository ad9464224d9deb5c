import type {
  ChartTableStrings,
  ChooserStrings,
  GridStrings,
  TableToolStrings,
  ViewerStrings,
} from '../tables';
import type { FilterCondition } from './resultFilter';
import type { ChartKind, ResultNode } from './results';

/**
 * Strings of a query result, in a panel and in a notebook. The page replaces the placeholders in
 * braces.
 */
export interface ResultStrings {
  readonly views: {
    readonly label: string;
    readonly table: string;
    readonly tree: string;
    readonly chart: string;
  };
  /**
   * Strings for the header above a result, which shows the statement, its source, and the time of
   * the run.
   */
  readonly run: {
    /** Label of the statement for screen readers. */
    readonly statement: string;
    readonly unfold: string;
    readonly panel: string;
    /** {0} is the name of the file, {1} the line. */
    readonly fileLine: string;
    /** {0} is the name of the file, {1} the first line, {2} the last line. */
    readonly fileLines: string;
    /** {0} is the time. */
    readonly ranAt: string;
    readonly showSource: string;
    readonly showSourceHint: string;
    /** Shown instead of the rows after a window reload. */
    readonly notSaved: string;
    readonly runAgain: string;
    readonly runAgainHint: string;
  };
  readonly tools: TableToolStrings & {
    readonly find: string;
    readonly filter: string;
    readonly filterHint: string;
    readonly originalOrder: string;
  };
  /** Names of the kinds of values, such as `Number`. */
  readonly kinds: Readonly<Record<ResultNode['kind'], string>>;
  readonly table: GridStrings;
  readonly columns: ChooserStrings;
  readonly viewer: ViewerStrings & { readonly showTree: string };
  readonly states: {
    readonly waiting: string;
    readonly empty: string;
    readonly emptyHint: string;
    /** Appended to the hint if the query has no lower bound on `time_received`. */
    readonly timeBoundHint: string;
    readonly nothingFound: string;
    readonly nothingMatches: string;
    /** Shown if no row both matches the filters and contains {0}. */
    readonly nothingMatchesAndFound: string;
    readonly clearFilters: string;
    readonly clearSearch: string;
    readonly editQuery: string;
    readonly canceled: string;
    /** Shown when the failure has no message. */
    readonly failed: string;
    /** Shown instead of the message if the problem list already contains the failure. */
    readonly failureListed: string;
    /** Shown if a part of an existing result couldn't be loaded. {0} is the reason. */
    readonly notRead: string;
    readonly retry: string;
    /** Labels of recovery actions. */
    readonly actions: Readonly<Record<string, string>>;
  };
  readonly status: {
    readonly cancel: string;
    /** {0} is the number of rows that have arrived so far. */
    readonly runningOne: string;
    readonly running: string;
    readonly allOne: string;
    readonly all: string;
    /** Shown if only the first {0} rows are available and there might be more. */
    readonly full: string;
    /** Same as `full`, but used if only some of the first {0} rows are shown. */
    readonly fullPart: string;
    readonly canceledOne: string;
    readonly canceled: string;
    /** Shown if the query failed after {0} rows. {1} is the reason. */
    readonly failedOne: string;
    readonly failed: string;
    /** Used as the reason for a failure that the problem list already contains. */
    readonly seeProblemList: string;
    /** Shown if {0} of {1} rows contain {2}. */
    readonly found: string;
    /** Shown if {0} of {1} rows match the filters. */
    readonly filtered: string;
    /** Shown if {0} of {1} rows match the filters and contain {2}. */
    readonly filteredAndFound: string;
    readonly finding: string;
    readonly filtering: string;
    readonly sorting: string;
    /** Shown if {0} of the {1} rows that have arrived so far are sorted. */
    readonly sortedSome: string;
    readonly sorted: string;
    readonly overflow: string;
    readonly selectedOne: string;
    readonly selected: string;
    /** {0} is the time until the last row arrived. */
    readonly elapsed: string;
    /** Same as `elapsed`, but used while the query is running. */
    readonly elapsedSoFar: string;
    readonly firstRow: string;
    readonly checkAgain: string;
  };
  readonly filter: {
    readonly label: string;
    /** Label of the list of filters. */
    readonly list: string;
    readonly column: string;
    readonly condition: string;
    readonly conditions: Readonly<Record<FilterCondition, string>>;
    /** Descriptions of filters. {0} is the column, and {1} and {2} are the values. */
    readonly sentences: Readonly<Record<FilterCondition, string>>;
    readonly value: string;
    readonly upTo: string;
    readonly hint: string;
    readonly missing: string;
    /** Shown if {0} has the format of a time but doesn't exist. */
    readonly noTime: string;
    readonly apply: string;
    readonly remove: string;
    readonly close: string;
    /** {0} is the description of the filter. */
    readonly change: string;
    readonly removeOne: string;
    readonly unused: string;
    readonly clear: string;
  };
  readonly tree: {
    readonly label: string;
    readonly keys: string;
    /** Label of the expanded content of a cell. {0} is the column and {1} the row. */
    readonly unfolded: string;
    readonly unfoldedKeys: string;
    readonly row: string;
    readonly items: string;
    readonly oneItem: string;
    readonly fields: string;
    readonly oneField: string;
    /**
     * Label of the button that shows more items in a long list. {0} is the number of shown items,
     * {1} the total number.
     */
    readonly more: string;
  };
  readonly chart: ChartTableStrings & {
    readonly label: string;
    readonly kind: string;
    readonly kinds: Readonly<Record<ChartKind, string>>;
    readonly x: string;
    readonly rowNumber: string;
    readonly chooseY: string;
    /** Label of the control that selects the column whose values split the chart into lines. */
    readonly seriesBy: string;
    readonly noSeries: string;
    readonly chooseHint: string;
    readonly noNumbers: string;
    readonly noData: string;
    readonly keys: string;
    readonly loading: string;
    /**
     * {0} is the number of points, {1} the number of rows, and {2} and {3} are the first and last
     * values.
     */
    readonly points: string;
    /** {0} is the number of bars, {1} the number of numeric values, {2} the number of rows. */
    readonly bars: string;
    readonly oneBar: string;
    /** Shown if a bar represents the sum of more than one number. */
    readonly addedUp: string;
    /** Shown if the chart is based on {0} visible rows of the {1} rows that have arrived. */
    readonly part: string;
    /** Shown if more rows might arrive or some rows weren't buffered. */
    readonly unfinished: string;
    readonly thinned: string;
    readonly leftOut: string;
    readonly mostColumns: string;
    readonly refresh: string;
    readonly whole: string;
    readonly savePicture: string;
  };
}

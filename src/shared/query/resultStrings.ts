import type {
  ChooserStrings,
  FigureStrings,
  GridStrings,
  TableToolStrings,
  ViewerStrings,
} from '../tableStrings';
import type { FilterCondition } from './resultFilter';
import type { ChartKind, ResultNode } from './results';

/** What the result of a query says, in a panel and in a notebook. The page fills in what is in braces. */
export interface ResultStrings {
  readonly views: {
    readonly label: string;
    readonly table: string;
    readonly tree: string;
    readonly chart: string;
  };
  /** The header above a result: the statement, its source and the time of the run. */
  readonly run: {
    /** Names the statement for screen readers. */
    readonly statement: string;
    readonly unfold: string;
    readonly panel: string;
    /** {0} is the name of the file, {1} the line. */
    readonly fileLine: string;
    /** {0} is the name of the file, {1} the first line, {2} the last. */
    readonly fileLines: string;
    /** {0} is the time. */
    readonly ranAt: string;
    readonly showSource: string;
    readonly showSourceHint: string;
    /** Stands for the rows after a window reload. */
    readonly notKept: string;
    readonly runAgain: string;
    readonly runAgainHint: string;
  };
  readonly tools: TableToolStrings & {
    readonly find: string;
    readonly filter: string;
    readonly filterHint: string;
    readonly orderOfComing: string;
  };
  /** What a value is, such as `Number`. */
  readonly kinds: Readonly<Record<ResultNode['kind'], string>>;
  readonly table: GridStrings;
  readonly columns: ChooserStrings;
  readonly viewer: ViewerStrings & { readonly showTree: string };
  readonly states: {
    readonly waiting: string;
    readonly empty: string;
    readonly emptyHint: string;
    /** Follows the hint where the query has no lower bound on time_received. */
    readonly timeBoundHint: string;
    readonly nothingFound: string;
    readonly nothingMatches: string;
    /** No row matches the filters and has {0}. */
    readonly nothingMatchesAndFound: string;
    readonly clearFilters: string;
    readonly canceled: string;
    /** Shown when the failure has no message. */
    readonly failed: string;
    /** Shown instead of the message of a failure that the problem list has. */
    readonly failureListed: string;
    /** A part of a result that is there could not be read. {0} says why. */
    readonly notRead: string;
    readonly retry: string;
    /** What can be done about a problem, by its action. */
    readonly actions: Readonly<Record<string, string>>;
  };
  readonly status: {
    readonly cancel: string;
    /** {0} rows came so far. */
    readonly runningOne: string;
    readonly running: string;
    readonly allOne: string;
    readonly all: string;
    /** The first {0} are shown and there may be more. */
    readonly full: string;
    /** The same where only some of the first {0} are shown. */
    readonly fullPart: string;
    readonly canceledOne: string;
    readonly canceled: string;
    /** It failed after {0} rows. {1} says why. */
    readonly failedOne: string;
    readonly failed: string;
    /** Stands for the reason of a failure that the problem list has. */
    readonly seeProblemList: string;
    /** {0} of {1} rows have {2}. */
    readonly found: string;
    /** {0} of {1} rows match the filters. */
    readonly filtered: string;
    /** {0} of {1} rows match the filters and have {2}. */
    readonly filteredAndFound: string;
    readonly finding: string;
    readonly filtering: string;
    readonly sorting: string;
    /** Sorted are {0} of the {1} that came so far. */
    readonly sortedSome: string;
    readonly sorted: string;
    readonly further: string;
    readonly selectedOne: string;
    readonly selected: string;
    /** {0} until the last row. */
    readonly elapsed: string;
    /** The same of a query that still runs. */
    readonly elapsedSoFar: string;
    readonly firstRow: string;
    readonly lookAgain: string;
  };
  readonly filter: {
    readonly label: string;
    /** The filters that are set. */
    readonly list: string;
    readonly column: string;
    readonly condition: string;
    readonly conditions: Readonly<Record<FilterCondition, string>>;
    /** What a filter says of the column {0}, with its values {1} and {2}. */
    readonly sentences: Readonly<Record<FilterCondition, string>>;
    readonly value: string;
    readonly upTo: string;
    readonly hint: string;
    readonly missing: string;
    /** {0} is written as a time, and no calendar has it. */
    readonly noTime: string;
    readonly apply: string;
    readonly remove: string;
    readonly close: string;
    /** {0} is what the filter says. */
    readonly change: string;
    readonly removeOne: string;
    readonly unused: string;
    readonly clear: string;
  };
  readonly tree: {
    readonly label: string;
    readonly keys: string;
    /** What is in the cell of the column {0} in row {1}, unfolded below it. */
    readonly unfolded: string;
    readonly unfoldedKeys: string;
    readonly row: string;
    readonly items: string;
    readonly oneItem: string;
    readonly fields: string;
    readonly oneField: string;
    /** {0} more of a long list. */
    readonly more: string;
  };
  readonly chart: FigureStrings & {
    readonly label: string;
    readonly kind: string;
    readonly kinds: Readonly<Record<ChartKind, string>>;
    readonly x: string;
    readonly rowNumber: string;
    readonly chooseY: string;
    /** Named by the values of a column: a line for each. */
    readonly seriesBy: string;
    readonly noSeries: string;
    readonly chooseHint: string;
    readonly noNumbers: string;
    readonly nothing: string;
    readonly keys: string;
    readonly loading: string;
    /** {0} points of {1} rows, from {2} to {3}. */
    readonly points: string;
    /** {0} bars of {1} numbers in {2} rows. */
    readonly bars: string;
    readonly oneBar: string;
    /** Bars stand for several numbers each. */
    readonly addedUp: string;
    /** Of {0} rows that are shown, of {1} that came. */
    readonly part: string;
    /** More rows may come, or were not kept. */
    readonly unfinished: string;
    readonly thinned: string;
    readonly leftOut: string;
    readonly mostColumns: string;
    readonly refresh: string;
    readonly whole: string;
    readonly savePicture: string;
  };
}

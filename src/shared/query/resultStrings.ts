import type { ChooserStrings, FigureStrings, GridStrings, ViewerStrings } from '../tableStrings';
import type { ChartKind, ResultNode } from './results';

/** What the result of a query says, in a panel and in a notebook. The page fills in what is in braces. */
export interface ResultStrings {
  readonly views: {
    readonly label: string;
    readonly table: string;
    readonly tree: string;
    readonly chart: string;
  };
  readonly tools: {
    readonly label: string;
    readonly find: string;
    readonly columns: string;
    readonly exportAll: string;
    readonly exportHint: string;
    readonly more: string;
    readonly orderOfComing: string;
    readonly copyCell: string;
    readonly copyRows: string;
    readonly copyRowsAsJson: string;
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
    readonly nothingFound: string;
    readonly cancelled: string;
    /** {0} says why. */
    readonly failed: string;
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
    readonly cancelledOne: string;
    readonly cancelled: string;
    /** It failed after {0} rows. {1} says why. */
    readonly failedOne: string;
    readonly failed: string;
    /** {0} of {1} rows have {2}. */
    readonly found: string;
    readonly finding: string;
    readonly sorting: string;
    /** Sorted are {0} of the {1} that came so far. */
    readonly sortedSome: string;
    readonly sorted: string;
    readonly further: string;
    readonly selectedOne: string;
    readonly selected: string;
    /** {0} until the last row. */
    readonly elapsed: string;
    readonly firstRow: string;
    readonly lookAgain: string;
  };
  readonly tree: {
    readonly label: string;
    readonly keys: string;
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
    readonly bars: string;
    /** Several rows have the same bar. */
    readonly shared: string;
    readonly thinned: string;
    readonly leftOut: string;
    readonly mostColumns: string;
    readonly refresh: string;
    readonly whole: string;
    readonly savePicture: string;
  };
}

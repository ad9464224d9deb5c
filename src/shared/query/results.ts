import {
  isBoolean,
  isBytes,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from '../guards';
import { command, notification, request } from '../protocol';
import {
  type CopiedSpan,
  copiedSpan,
  isFullText,
  isRowSort,
  isValueCell,
  isValueColumn,
  type RowSort,
  type ValueCell,
  type ValueColumn,
  type ValueKind,
  valueKinds,
} from '../tables';
import { isResultFilter, type ResultFilter } from './resultFilter';

/**
 * States of a query result. The messages in this file are exchanged between a host and any view of
 * a query result: the query panel and the cells of a notebook. Every message identifies its result
 * because a page can show more than one.
 */

const resultStates = [
  /** The query was sent, but no data has arrived yet. */
  'waiting',
  /** Rows are arriving. */
  'running',
  'complete',
  /** The buffer is full; an export runs the query again and writes all rows. */
  'full',
  'canceled',
  'failed',
] as const;
export type ResultState = (typeof resultStates)[number];

/** Reason for a query's failure, and its position in the text. */
export interface QueryProblem {
  readonly message: string;
  /** ID of the recovery action, which webview and host have in common. */
  readonly action?: string | undefined;
  /** Start offset in the text that was run, in UTF-16 code units. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Status of a result. */
export interface ResultStatus {
  readonly result: string;
  readonly state: ResultState;
  /** Number of rows that arrived. */
  readonly rows: number;
  /** Size of the received rows in bytes. */
  readonly bytes: number;
  /** Time from the request to the first row; the next member is the time to the last row so far. */
  readonly firstRowMs?: number | undefined;
  readonly elapsedMs: number;
  /** Current number of columns: columns are appended when rows with new fields arrive. */
  readonly columns: number;
  /** True if some values have no column because there are too many columns. */
  readonly hasOverflow: boolean;
  readonly problem?: QueryProblem | undefined;
  /** True if the query has no lower bound on the time of readings. */
  readonly isMissingTimeBound?: boolean | undefined;
}

const isProblem = isShape<QueryProblem>({
  message: isString,
  action: isOptional(isString),
  start: isOptional(isNumber),
  end: isOptional(isNumber),
});

const isResultStatus = isShape<ResultStatus>({
  result: isString,
  state: isOneOf(...resultStates),
  rows: isNumber,
  bytes: isNumber,
  firstRowMs: isOptional(isNumber),
  elapsedMs: isNumber,
  columns: isNumber,
  hasOverflow: isBoolean,
  problem: isOptional(isProblem),
  isMissingTimeBound: isOptional(isBoolean),
});

/** Selection and order of a result's rows. Row indexes always refer to a view. */
export interface ResultView {
  readonly result: string;
  /** Sort order; if absent, rows are in order of arrival. */
  readonly sort?: RowSort | undefined;
  /** Shows only rows that contain this text in any cell, ignoring case. */
  readonly find?: string | undefined;
  /** Shows only rows that match all of these filters. */
  readonly filters?: readonly ResultFilter[] | undefined;
}

const view = {
  result: isString,
  sort: isOptional(isRowSort),
  find: isOptional(isString),
  filters: isOptional(isListOf(isResultFilter)),
} as const;
const isView = isShape<ResultView>(view);

export interface ResultRow {
  /** Cells for which the row has values. */
  readonly cells: readonly ValueCell[];
}

export interface ResultRows {
  readonly start: number;
  readonly rows: readonly ResultRow[];
  /** Columns added after those that the page already has. */
  readonly columns: readonly ValueColumn[];
  /** Types of all columns, such as `decimal`. The type is empty for a column without values. */
  readonly types: readonly string[];
}

/** A row of a view, or one cell of it. */
export interface ResultCellRef extends ResultView {
  readonly rowIndex: number;
  /** ID of the column; absent for the whole row. */
  readonly column?: string | undefined;
}

const cellRefShape = { ...view, rowIndex: isNumber, column: isOptional(isString) } as const;
const isResultCellRef = isShape<ResultCellRef>(cellRefShape);

/** A child of a row or value in the JSON tree, which is loaded level by level. */
export interface ResultNode {
  /** Name of a member, or index in a list. */
  readonly key: string;
  readonly kind: ValueKind | 'list' | 'object';
  /** Value on one line, shortened if it is long; empty for a list or object. */
  readonly text: string;
  /** Number of children of a list or object. */
  readonly size?: number | undefined;
}

const isNode = isShape<ResultNode>({
  key: isString,
  kind: isOneOf(...valueKinds, 'list', 'object'),
  text: isString,
  size: isOptional(isNumber),
});

export interface CopyResult extends ResultView, CopiedSpan {}

/** A column with statistics about its values, which help to select the columns to draw. */
export interface ProfiledColumn extends ValueColumn {
  /**
   * Number of rows with a number in the column, among the rows that have arrived; the next member
   * is the number of rows with a time.
   */
  readonly numbers: number;
  readonly times: number;
  /** Number of distinct text values, counted up to the maximum number of lines in a chart. */
  readonly texts: number;
}

const isProfiled = isShape<ProfiledColumn>({
  id: isString,
  name: isString,
  numbers: isNumber,
  times: isNumber,
  texts: isNumber,
});

export const chartKinds = ['line', 'bar', 'scatter'] as const;
export type ChartKind = (typeof chartKinds)[number];

/** The columns of a view to draw, by ID. */
export interface ChartRequest extends ResultView {
  readonly kind: ChartKind;
  /** Column with numbers, times, or, for bars, any text; if absent, the row's index. */
  readonly x?: string | undefined;
  /** Columns with numbers. */
  readonly y: readonly string[];
  /** Column that splits the chart into one line per value. */
  readonly series?: string | undefined;
}

/** Points of one line, one group of bars, or one point cloud. */
export interface ChartSeries {
  readonly name: string;
  /**
   * Number of points, including points that aren't drawn. If numbers are added up, this is the
   * number of sums.
   */
  readonly points: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly first: number;
  readonly last: number;
  /**
   * Coordinates as doubles; for lines, in ascending order of `x`. Times are in milliseconds since
   * 1970.
   */
  readonly x: ArrayBuffer;
  readonly y: ArrayBuffer;
}

export interface ResultChart {
  readonly xKind: 'number' | 'time' | 'text';
  /** Strings to which the numbers in `x` refer, if the x values are text. */
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  /**
   * Number of omitted series. If there are too many series, those with the fewest points are
   * omitted.
   */
  readonly leftOut: number;
  /** True if the series are downsampled. */
  readonly thinned: boolean;
  /**
   * Number of rows that the chart is based on. The page might not have been notified of all of them
   * yet.
   */
  readonly rows: number;
  /** Number of rows whose numbers are in the series. */
  readonly numbers: number;
  /** True if a bar represents the sum of more than one number. */
  readonly addedUp: boolean;
}

const isSeries = isShape<ChartSeries>({
  name: isString,
  points: isNumber,
  least: isNumber,
  greatest: isNumber,
  mean: isNumber,
  first: isNumber,
  last: isNumber,
  x: isBytes,
  y: isBytes,
});

const isResultRef = isShape<{ result: string }>({ result: isString });

/**
 * Messages about a result. Requests for a result that is no longer buffered fail with `notFound`.
 */
export const resultMessages = {
  resultChanged: notification(isResultStatus),
  cancelResult: command(isResultRef),
  /**
   * Returns the number of rows in a view, and the number of rows that had arrived at that time. The
   * page might not have been notified of all of these yet. Sorting and searching many rows takes
   * time, so the request can be aborted.
   */
  arrangeResult: request(
    isView,
    isShape<{ rows: number; among: number }>({ rows: isNumber, among: isNumber }),
  ),
  /**
   * Returns rows of an arranged view. For a view in order of arrival, returns as many rows as are
   * available.
   */
  resultRows: request(
    isShape<ResultView & { start: number; end: number; columns: number }>({
      ...view,
      start: isNumber,
      end: isNumber,
      // Number of columns that the page already has.
      columns: isNumber,
    }),
    isShape<ResultRows>({
      start: isNumber,
      rows: isListOf(isShape<ResultRow>({ cells: isListOf(isValueCell) })),
      columns: isListOf(isValueColumn),
      types: isListOf(isString),
    }),
  ),
  resultText: request(isResultCellRef, isFullText),
  /** Returns one level of children at a path within a row or cell, starting at a given child. */
  resultNodes: request(
    isShape<ResultCellRef & { path: readonly string[]; start: number; end: number }>({
      ...cellRefShape,
      path: isListOf(isString),
      start: isNumber,
      end: isNumber,
    }),
    isShape<{ nodes: readonly ResultNode[]; size: number }>({
      nodes: isListOf(isNode),
      size: isNumber,
    }),
  ),
  copyResultCell: command(isResultCellRef),
  copyResult: command(isShape<CopyResult>({ ...view, ...copiedSpan })),
  /**
   * Writes all rows of the query to a file that the user selects, including rows that aren't in the
   * view.
   */
  exportResult: command(isView),
  profileResult: request(
    isResultRef,
    isShape<{ columns: readonly ProfiledColumn[] }>({ columns: isListOf(isProfiled) }),
  ),
  chartResult: request(
    isShape<ChartRequest>({
      ...view,
      kind: isOneOf(...chartKinds),
      x: isOptional(isString),
      y: isListOf(isString),
      series: isOptional(isString),
    }),
    isShape<ResultChart>({
      xKind: isOneOf('number', 'time', 'text'),
      labels: isListOf(isString),
      series: isListOf(isSeries),
      leftOut: isNumber,
      thinned: isBoolean,
      rows: isNumber,
      numbers: isNumber,
      addedUp: isBoolean,
    }),
  ),
  /** Writes the image of a chart to a file that the user selects. */
  saveChart: command(isShape<{ png: ArrayBuffer }>({ png: isBytes })),
  /** Runs the recovery action of a problem, such as signing in. */
  actOnProblem: command(isShape<{ action: string }>({ action: isString })),
} as const;

export type ResultProtocol = typeof resultMessages;

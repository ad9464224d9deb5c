import {
  type Guarded,
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
  copiedSpan,
  isFullText,
  isRowSort,
  isValueCell,
  isValueColumn,
  valueKinds,
} from '../tables';
import { isQueryLanguage } from './editor';

/** Conditions on the cells in a column. */
export const filterConditions = [
  'contains',
  'containsNot',
  'equals',
  'equalsNot',
  'greater',
  'atLeast',
  'less',
  'atMost',
  /** From one value to another, inclusive. */
  'between',
  'empty',
  'notEmpty',
] as const;
export type FilterCondition = (typeof filterConditions)[number];

const isResultFilter = isShape({
  /** ID of the column. */
  column: isString,
  condition: isOneOf(...filterConditions),
  /** The condition's value; empty if the condition needs none. */
  value: isString,
  upTo: isOptional(isString),
});
/**
 * A condition on a column that a row must meet to be shown. Values are stored as the user typed
 * them.
 */
export type ResultFilter = Guarded<typeof isResultFilter>;

/**
 * Query result states. The messages in this file are exchanged between a host and any view of a
 * query result: the query panel and the cells of a notebook. Every message identifies its result
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

const isProblem = isShape({
  message: isString,
  /** ID of the recovery action, which the webview and the host share. */
  action: isOptional(isString),
  /** Start offset in the text that was run, in UTF-16 code units. */
  start: isOptional(isNumber),
  end: isOptional(isNumber),
});
/** Reason for a query's failure, and its position in the text. */
export type QueryProblem = Guarded<typeof isProblem>;

const isResultStatus = isShape({
  result: isString,
  state: isOneOf(...resultStates),
  /** Number of rows that arrived. */
  rows: isNumber,
  /** Size of the received rows in bytes. */
  bytes: isNumber,
  /** Time from the request to the first row; the next member is the time to the last row so far. */
  firstRowMs: isOptional(isNumber),
  elapsedMs: isNumber,
  /** Current number of columns. Columns are appended when rows with new fields arrive. */
  columns: isNumber,
  /** True if some values have no column because there are too many columns. */
  hasOverflow: isBoolean,
  problem: isOptional(isProblem),
  /** True if the query has no lower bound on the time of readings. */
  isMissingTimeBound: isOptional(isBoolean),
});
/** Status of a result. */
export type ResultStatus = Guarded<typeof isResultStatus>;

const view = {
  result: isString,
  /** Sort order; if absent, rows are in order of arrival. */
  sort: isOptional(isRowSort),
  /** Shows only rows that contain this text in any cell, ignoring case. */
  find: isOptional(isString),
  /** Shows only rows that match all of these filters. */
  filters: isOptional(isListOf(isResultFilter)),
} as const;
const isView = isShape(view);
/** Selection and order of a result's rows. Row indexes always refer to a view. */
export type ResultView = Guarded<typeof isView>;

const cellRefShape = {
  ...view,
  rowIndex: isNumber,
  /** ID of the column; absent for the whole row. */
  column: isOptional(isString),
} as const;
const isResultCellRef = isShape(cellRefShape);
/** A row in a view, or one of its cells. */
export type ResultCellRef = Guarded<typeof isResultCellRef>;

const isNode = isShape({
  /** Name of a member, or index in a list. */
  key: isString,
  kind: isOneOf(...valueKinds, 'list', 'object'),
  /** Value on one line, shortened if it is long; empty for a list or object. */
  text: isString,
  /** Number of children of a list or object. */
  size: isOptional(isNumber),
});
/** A child of a row or value in the JSON tree, which is loaded level by level. */
export type ResultNode = Guarded<typeof isNode>;

const isCopyResult = isShape({ ...view, ...copiedSpan });
export type CopyResult = Guarded<typeof isCopyResult>;

const isProfiled = isShape({
  id: isString,
  name: isString,
  /**
   * Number of rows with a number in the column, among the rows that have arrived; the next member
   * is the number of rows with a time.
   */
  numbers: isNumber,
  times: isNumber,
  /** Number of distinct text values, counted up to the maximum number of lines in a chart. */
  texts: isNumber,
});
/** A column with statistics about its values, which help to select the columns to draw. */
export type ProfiledColumn = Guarded<typeof isProfiled>;

export const chartKinds = ['line', 'bar', 'scatter'] as const;
export type ChartKind = (typeof chartKinds)[number];

const isChartRequest = isShape({
  ...view,
  kind: isOneOf(...chartKinds),
  /** Column with numbers, times, or, for bars, any text; if absent, the row's index. */
  x: isOptional(isString),
  /** Columns with numbers. */
  y: isListOf(isString),
  /** Column that splits the chart into one line per value. */
  series: isOptional(isString),
});
/** The columns in a view to draw, by ID. */
export type ChartRequest = Guarded<typeof isChartRequest>;

const isSeries = isShape({
  name: isString,
  /**
   * Number of points, including points that aren't drawn. If numbers are added up, this is the
   * number of sums.
   */
  points: isNumber,
  least: isNumber,
  greatest: isNumber,
  mean: isNumber,
  first: isNumber,
  last: isNumber,
  /**
   * Coordinates as doubles; for lines, in ascending order of `x`. Times are in milliseconds since
   * 1970.
   */
  x: isBytes,
  y: isBytes,
});
/** Points in one line, one group of bars, or one point cloud. */
export type ChartSeries = Guarded<typeof isSeries>;

const isResultRef = isShape({ result: isString });

const isResultRow = isShape({
  /** Cells for which the row has values. */
  cells: isListOf(isValueCell),
});
export type ResultRow = Guarded<typeof isResultRow>;

const isResultRows = isShape({
  start: isNumber,
  rows: isListOf(isResultRow),
  /** Columns added after those that the page already has. */
  columns: isListOf(isValueColumn),
  /** Types of all columns, such as `decimal`. The type is empty for a column without values. */
  types: isListOf(isString),
});

const isResultChart = isShape({
  xKind: isOneOf('number', 'time', 'text'),
  /** Strings to which the numbers in `x` refer, if the x values are text. */
  labels: isListOf(isString),
  series: isListOf(isSeries),
  /**
   * Number of omitted series. If there are too many series, those with the fewest points are
   * omitted.
   */
  leftOut: isNumber,
  /** True if the series are downsampled. */
  thinned: isBoolean,
  /**
   * Number of rows that the chart is based on. The page might not have been notified of all of
   * these rows yet.
   */
  rows: isNumber,
  /** Number of rows whose numbers are in the series. */
  numbers: isNumber,
  /** True if a bar represents the sum of more than one number. */
  addedUp: isBoolean,
});
export type ResultChart = Guarded<typeof isResultChart>;

/**
 * Messages about a result. Requests for a result that is no longer buffered fail with `notFound`.
 */
export const resultMessages = {
  resultChanged: notification(isResultStatus),
  cancelResult: command(isResultRef),
  /**
   * Returns the number of rows in a view, and the number of rows that had arrived by then. The page
   * might not have been notified of all of these rows yet. Sorting and searching many rows takes
   * time, so the request can be aborted.
   */
  arrangeResult: request(isView, isShape({ rows: isNumber, among: isNumber })),
  /**
   * Returns rows in an arranged view. For a view in arrival order, returns as many rows as are
   * available.
   */
  resultRows: request(
    isShape({
      ...view,
      start: isNumber,
      end: isNumber,
      // Number of columns that the page already has.
      columns: isNumber,
    }),
    isResultRows,
  ),
  resultText: request(isResultCellRef, isFullText),
  /** Returns one level of children at a path within a row or cell, starting at a given child. */
  resultNodes: request(
    isShape({
      ...cellRefShape,
      path: isListOf(isString),
      start: isNumber,
      end: isNumber,
    }),
    isShape({
      nodes: isListOf(isNode),
      size: isNumber,
    }),
  ),
  copyResultCell: command(isResultCellRef),
  copyResult: command(isCopyResult),
  /**
   * Writes all rows from the query to a file that the user selects, including rows that aren't in
   * the view.
   */
  exportResult: command(isView),
  profileResult: request(isResultRef, isShape({ columns: isListOf(isProfiled) })),
  chartResult: request(isChartRequest, isResultChart),
  /** Writes a chart's image to a file that the user selects. */
  saveChart: command(isShape({ png: isBytes })),
  /** Runs a problem's recovery action, such as signing in. */
  actOnProblem: command(isShape({ action: isString })),
} as const;

export type ResultProtocol = typeof resultMessages;

export const isFileRange = isShape({
  name: isString,
  firstLine: isNumber,
  lastLine: isNumber,
});
/**
 * Range of lines in a file that contain a query. Lines are counted from 1, and the end is
 * inclusive.
 */
export type FileRange = Guarded<typeof isFileRange>;

export const isRunOrigin = isShape({
  language: isQueryLanguage,
  /** Statement as it was run, including its parameter values. */
  statement: isString,
  /** The name of the organization whose readings were queried. */
  organization: isString,
  /** Time of the run, in milliseconds since 1970. */
  at: isNumber,
  /** The statement's source file; absent for a query panel's text. */
  file: isOptional(isFileRange),
});
/** The run that a result belongs to. */
export type RunOrigin = Guarded<typeof isRunOrigin>;

export const isShownResult = isShape({
  result: isString,
  /** The run; absent in notebooks, where a result is below its cell. */
  origin: isOptional(isRunOrigin),
});
/** A result that a page shows. */
export type ShownResult = Guarded<typeof isShownResult>;

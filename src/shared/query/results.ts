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
  isRowSort,
  isValueCell,
  isValueColumn,
  isWholeText,
  type RowSort,
  type ValueCell,
  type ValueColumn,
  type ValueKind,
  valueKinds,
} from '../tables';
import { isResultFilter, type ResultFilter } from './resultFilter';

/**
 * What is said between a host and whatever shows the result of a query: the query panel, and the cells of
 * a notebook. Every message names its result, so that one page may show several.
 */

export const resultStates = [
  /** It is asked, and nothing came yet. */
  'waiting',
  /** Rows come. */
  'running',
  'complete',
  /** As much came as is kept; an export asks again and writes all. */
  'full',
  'canceled',
  'failed',
] as const;
export type ResultState = (typeof resultStates)[number];

/** Why a query failed, and where. */
export interface QueryProblem {
  readonly message: string;
  /** What the person can do about it, as a word both sides know. */
  readonly action?: string | undefined;
  /** In the text that was run, in UTF-16 code units. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** How far a result is. */
export interface ResultStatus {
  readonly result: string;
  readonly state: ResultState;
  /** Rows that came. */
  readonly rows: number;
  /** Of the rows as they came, in bytes. */
  readonly bytes: number;
  /** From asking to the first row, and to the last so far. */
  readonly firstRowMs?: number | undefined;
  readonly elapsedMs: number;
  /** Columns so far: they are added at the end when rows with further fields come. */
  readonly columns: number;
  /** Values have no column because there are too many. */
  readonly further: boolean;
  readonly problem?: QueryProblem | undefined;
  /** The query has no lower bound on the time of readings. */
  readonly lacksTimeBound?: boolean | undefined;
}

const isProblem = isShape<QueryProblem>({
  ...{ message: isString, action: isOptional(isString) },
  ...{ start: isOptional(isNumber), end: isOptional(isNumber) },
});

export const isResultStatus = isShape<ResultStatus>({
  ...{ result: isString, state: isOneOf(...resultStates), rows: isNumber, bytes: isNumber },
  ...{ firstRowMs: isOptional(isNumber), elapsedMs: isNumber, columns: isNumber },
  ...{ further: isBoolean, problem: isOptional(isProblem) },
  lacksTimeBound: isOptional(isBoolean),
});

/** Which rows of a result are shown, in which order. Places count within a view. */
export interface ResultView {
  readonly result: string;
  /** Absent: in the order in which they came. */
  readonly sort?: RowSort | undefined;
  /** Rows that have this text in some cell, whatever the case of its letters. */
  readonly find?: string | undefined;
  /** Rows that are as all of these say. */
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
  /** Only those that the row has. */
  readonly cells: readonly ValueCell[];
}

export interface ResultRows {
  readonly start: number;
  readonly rows: readonly ResultRow[];
  /** Those that came after the ones that the page knows. */
  readonly columns: readonly ValueColumn[];
  /** The types of all columns, such as `decimal`; empty for one that has no values yet. */
  readonly types: readonly string[];
}

/** A row of a view, or one cell of it. */
export interface ResultPlace extends ResultView {
  readonly place: number;
  /** Absent: the row as a whole. */
  readonly column?: string | undefined;
}

const place = { ...view, place: isNumber, column: isOptional(isString) } as const;
const isPlace = isShape<ResultPlace>(place);

/** What is within a row or a value of it, for the tree of JSON: one level. */
export interface ResultNode {
  /** A name, or a place in a list. */
  readonly key: string;
  readonly kind: ValueKind | 'list' | 'object';
  /** Of a value on one line, shortened; of a list or object empty. */
  readonly text: string;
  /** How many a list or object holds. */
  readonly size?: number | undefined;
}

const isNode = isShape<ResultNode>({
  ...{ key: isString, kind: isOneOf(...valueKinds, 'list', 'object'), text: isString },
  size: isOptional(isNumber),
});

export interface CopyResult extends ResultView, CopiedSpan {}

/** A column with what its values are, for choosing what to draw. */
export interface ProfiledColumn extends ValueColumn {
  /** How many rows have a number, and a time, among those that came. */
  readonly numbers: number;
  readonly times: number;
  /** Different texts, counted up to the most lines that a chart draws. */
  readonly texts: number;
}

const isProfiled = isShape<ProfiledColumn>({
  ...{ id: isString, name: isString, numbers: isNumber, times: isNumber, texts: isNumber },
});

export const chartKinds = ['line', 'bar', 'scatter'] as const;
export type ChartKind = (typeof chartKinds)[number];

/** What to draw of a view. Ids of columns. */
export interface ChartRequest extends ResultView {
  readonly kind: ChartKind;
  /** Numbers, times, or of bars any texts; absent: the row's place. */
  readonly x?: string | undefined;
  /** Numbers. */
  readonly y: readonly string[];
  /** One line for each of its values. */
  readonly series?: string | undefined;
}

/** Points of one line, bar group or cloud. */
export interface ChartSeries {
  readonly name: string;
  /** Also those that are not drawn; sums where numbers are added up. */
  readonly points: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly first: number;
  readonly last: number;
  /** Doubles, by `x` of lines in rising order; times are milliseconds since 1970. */
  readonly x: ArrayBuffer;
  readonly y: ArrayBuffer;
}

export interface ResultChart {
  readonly xKind: 'number' | 'time' | 'text';
  /** What the numbers on `x` stand for when they are texts. */
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Series with fewer points that are left out because there are too many. */
  readonly leftOut: number;
  /** Whether fewer points are drawn than the series have. */
  readonly thinned: boolean;
  /** How many rows it is of: the page may not have heard of all of them yet. */
  readonly rows: number;
  /** How many numbers of rows the series have. */
  readonly numbers: number;
  /** Whether bars stand for several numbers each, which are added up. */
  readonly addedUp: boolean;
}

const isSeries = isShape<ChartSeries>({
  ...{ name: isString, points: isNumber, least: isNumber, greatest: isNumber, mean: isNumber },
  ...{ first: isNumber, last: isNumber, x: isBytes, y: isBytes },
});

const isResultRef = isShape<{ result: string }>({ result: isString });

/** Requests for a result that is not kept any more fail with `notFound`. */
export const resultMessages = {
  resultChanged: notification(isResultStatus),
  cancelResult: command(isResultRef),
  /**
   * How many rows a view has, and among how many that had come: the page may not have heard of all of those yet.
   * Sorting and searching many take a while; the request can be aborted.
   */
  arrangeResult: request(
    isView,
    isShape<{ rows: number; among: number }>({ rows: isNumber, among: isNumber }),
  ),
  /** Rows of a view that is arranged; of one in the order of coming, as many as are there. */
  resultRows: request(
    isShape<ResultView & { start: number; end: number; columns: number }>({
      ...{ ...view, start: isNumber, end: isNumber },
      // How many columns the page knows.
      columns: isNumber,
    }),
    isShape<ResultRows>({
      start: isNumber,
      rows: isListOf(isShape<ResultRow>({ cells: isListOf(isValueCell) })),
      columns: isListOf(isValueColumn),
      types: isListOf(isString),
    }),
  ),
  resultText: request(isPlace, isWholeText),
  /** What is at a path within a row or a cell of it: one level, from a child on. */
  resultNodes: request(
    isShape<ResultPlace & { path: readonly string[]; start: number; end: number }>({
      ...{ ...place, path: isListOf(isString), start: isNumber, end: isNumber },
    }),
    isShape<{ nodes: readonly ResultNode[]; size: number }>({
      nodes: isListOf(isNode),
      size: isNumber,
    }),
  ),
  copyResultCell: command(isPlace),
  copyResult: command(isShape<CopyResult>({ ...view, ...copiedSpan })),
  /** Writes all rows of the query to a file of the person's choice, also those that are not in the view. */
  exportResult: command(isView),
  profileResult: request(
    isResultRef,
    isShape<{ columns: readonly ProfiledColumn[] }>({ columns: isListOf(isProfiled) }),
  ),
  chartResult: request(
    isShape<ChartRequest>({
      ...{ ...view, kind: isOneOf(...chartKinds), x: isOptional(isString) },
      ...{ y: isListOf(isString), series: isOptional(isString) },
    }),
    isShape<ResultChart>({
      ...{ xKind: isOneOf('number', 'time', 'text'), labels: isListOf(isString) },
      ...{ series: isListOf(isSeries), leftOut: isNumber, thinned: isBoolean },
      ...{ rows: isNumber, numbers: isNumber, addedUp: isBoolean },
    }),
  ),
  /** Writes the picture of a chart to a file of the person's choice. */
  saveChart: command(isShape<{ png: ArrayBuffer }>({ png: isBytes })),
  /** Does what a problem offers, such as signing in. */
  actOnProblem: command(isShape<{ action: string }>({ action: isString })),
} as const;

export type ResultProtocol = typeof resultMessages;

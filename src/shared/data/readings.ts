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
} from '../tables';

export const readingOrders = ['newestFirst', 'oldestFirst'] as const;
export type ReadingOrder = (typeof readingOrders)[number];
const isOrder = isOneOf(...readingOrders);

/** Readings of one generation in the order in which the service has them. */
export interface ReadingListingRef {
  readonly generation: number;
  readonly order: ReadingOrder;
}

const listingRef = { generation: isNumber, order: isOrder } as const;
const isListingRef = isShape<ReadingListingRef>(listingRef);

/** The rows as a table shows them: each place is one reading, as long as nothing more is read. */
export interface ReadingView extends ReadingListingRef {
  /** Of what was read so far; the service knows the order of times only. */
  readonly sort?: RowSort | undefined;
}

const view = {
  ...listingRef,
  sort: isOptional(isRowSort),
} as const;

/** Ids of the columns that all readings have; those of payloads are `d0`, `d1` and so on. */
export const fixedColumns = ['time', 'machine', 'part', 'component', 'method', 'tags'] as const;

export interface ReadingRow {
  /** When it was captured, in milliseconds since 1970, to the microsecond. */
  readonly at: number;
  /** Only those that the reading has; the time is none of them. */
  readonly cells: readonly ValueCell[];
}

/** How much of a listing is read. */
export interface ReadingProgress {
  readonly read: number;
  /** How many the filter selects. */
  readonly count: number;
  /** Nothing more is read because as much is in memory as may be. */
  readonly full: boolean;
  /** Values have no column because there are too many. */
  readonly further: boolean;
}

const progress = { read: isNumber, count: isNumber, full: isBoolean, further: isBoolean } as const;

export interface ReadingRows extends ReadingProgress {
  readonly start: number;
  readonly rows: readonly ReadingRow[];
  /** Those that came after the ones that the webview knows. */
  readonly columns: readonly ValueColumn[];
}

/** A row of a view, or one cell of it. */
export interface ReadingPlace extends ReadingView {
  readonly place: number;
  /** Absent: all that is known of the reading, as JSON. */
  readonly column?: string | undefined;
}

const isPlace = isShape<ReadingPlace>({ ...view, place: isNumber, column: isOptional(isString) });

export interface CopyRows extends ReadingView, CopiedSpan {}

/** Which numbers to draw, of as many rows as there are up to the host's limit. */
export interface ChartRequest extends ReadingListingRef {
  /** Ids. */
  readonly columns: readonly string[];
  /** Milliseconds since 1970, both included; absent: from the first, to the last. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Numbers of one column of one resource. */
export interface ChartLine {
  readonly name: string;
  readonly resource: string;
  /** Of the lines' own numbers, also of those that are not drawn. */
  readonly points: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly first: number;
  readonly last: number;
  /** Milliseconds since 1970 and the numbers, as doubles, oldest first: fewer than `points` when thinned out. */
  readonly times: ArrayBuffer;
  readonly values: ArrayBuffer;
}

const isLine = isShape<ChartLine>({
  ...{ name: isString, resource: isString, points: isNumber, least: isNumber },
  ...{ greatest: isNumber, mean: isNumber, first: isNumber, last: isNumber },
  ...{ times: isBytes, values: isBytes },
});

export interface ReadingChart {
  readonly lines: readonly ChartLine[];
  /** Lines with fewer points that are left out because there are too many. */
  readonly leftOut: number;
  /** Of which rows: so many were read of so many that the filter selects. */
  readonly read: number;
  readonly count: number;
  /** Whether lines have fewer points than were read. */
  readonly thinned: boolean;
}

/** A resource with readings and the method that read them. */
export interface LatestSource {
  /** Opaque. */
  readonly key: string;
  readonly resource: string;
  readonly method: string;
}

export interface LatestValue {
  readonly name: string;
  readonly text: string;
}

export interface Latest {
  /** Milliseconds since 1970; absent when there is none, or none of the last year. */
  readonly at?: number | undefined;
  readonly values: readonly LatestValue[];
}

const isLatestRef = isShape<ReadingListingRef & { key: string }>({ ...listingRef, key: isString });

/** Messages about readings. A request about another generation fails with `conflict`. */
export const readingMessages = {
  /** Rows of a view; reads on for those that are not read yet, unless the view is sorted. */
  readingRows: request(
    isShape<ReadingView & { start: number; end: number; columns: number }>({
      ...{ ...view, start: isNumber, end: isNumber },
      // How many columns of payloads the webview knows.
      columns: isNumber,
    }),
    isShape<ReadingRows>({
      ...{ ...progress, start: isNumber },
      rows: isListOf(
        isShape<ReadingRow>({
          at: isNumber,
          cells: isListOf(isValueCell),
        }),
      ),
      columns: isListOf(isValueColumn),
    }),
  ),
  /** Reads on until so many rows are there; `readingsRead` tells of each page. */
  readMoreReadings: request(
    isShape<ReadingListingRef & { upTo: number }>({ ...listingRef, upTo: isNumber }),
    isShape<ReadingProgress>(progress),
  ),
  readingsRead: notification(
    isShape<ReadingListingRef & ReadingProgress>({ ...listingRef, ...progress }),
  ),
  readingText: request(isPlace, isWholeText),
  copyReadingCell: command(isPlace),
  copyReadings: command(isShape<CopyRows>({ ...view, ...copiedSpan })),
  /** Writes all that the filter selects to a file of the person's choice. */
  exportReadings: command(isShape<{ generation: number }>({ generation: isNumber })),
  /** Columns with numbers in what was read. */
  numericReadingColumns: request(
    isListingRef,
    isShape<{ columns: readonly ValueColumn[] }>({ columns: isListOf(isValueColumn) }),
  ),
  chartReadings: request(
    isShape<ChartRequest>({
      ...{ ...listingRef, columns: isListOf(isString) },
      ...{ start: isOptional(isNumber), end: isOptional(isNumber) },
    }),
    isShape<ReadingChart>({
      ...{ lines: isListOf(isLine), leftOut: isNumber, read: isNumber, count: isNumber },
      thinned: isBoolean,
    }),
  ),
  /** The resources of what was read. */
  latestSources: request(
    isListingRef,
    isShape<{ sources: readonly LatestSource[]; read: number }>({
      sources: isListOf(
        isShape<LatestSource>({ key: isString, resource: isString, method: isString }),
      ),
      read: isNumber,
    }),
  ),
  latestReading: request(
    isLatestRef,
    isShape<Latest>({
      at: isOptional(isNumber),
      values: isListOf(isShape<LatestValue>({ name: isString, text: isString })),
    }),
  ),
} as const;

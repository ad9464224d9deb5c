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
  type ChartTableStrings,
  type ChooserStrings,
  type CopiedSpan,
  copiedSpan,
  type GridStrings,
  isFullText,
  isRowSort,
  isValueCell,
  isValueColumn,
  type RowSort,
  type TableToolStrings,
  type ValueCell,
  type ValueColumn,
  type ViewerStrings,
} from '../tables';

export const readingOrders = ['newestFirst', 'oldestFirst'] as const;
export type ReadingOrder = (typeof readingOrders)[number];
const isOrder = isOneOf(...readingOrders);

/** Readings of one generation in the order of the service. */
export interface ReadingListingRef {
  readonly generation: number;
  readonly order: ReadingOrder;
}

const listingRef = { generation: isNumber, order: isOrder } as const;
const isListingRef = isShape<ReadingListingRef>(listingRef);

/**
 * Rows in the order in which a table shows them. Each index refers to the same reading until more
 * readings are loaded.
 */
export interface ReadingView extends ReadingListingRef {
  /**
   * Sort order of the loaded readings. It is applied by the host because the service can sort only
   * by time.
   */
  readonly sort?: RowSort | undefined;
}

const view = {
  ...listingRef,
  sort: isOptional(isRowSort),
} as const;

/**
 * IDs of the columns that all readings have. The IDs of payload columns are `d0`, `d1`, and so on.
 */
export const fixedColumns = ['time', 'machine', 'part', 'component', 'method', 'tags'] as const;

export interface ReadingRow {
  /** Time of capture, in milliseconds since 1970, with microsecond precision. */
  readonly at: number;
  /** Cells for which the reading has values, excluding the time. */
  readonly cells: readonly ValueCell[];
}

/** Loading progress of a list of readings. */
export interface ReadingProgress {
  readonly read: number;
  /** Number of readings that match the filter. */
  readonly count: number;
  /** True if loading stopped because the buffer is full. */
  readonly full: boolean;
  /** True if some values have no column because there are too many columns. */
  readonly hasOverflow: boolean;
}

const progress = {
  read: isNumber,
  count: isNumber,
  full: isBoolean,
  hasOverflow: isBoolean,
} as const;

export interface ReadingRows extends ReadingProgress {
  readonly start: number;
  readonly rows: readonly ReadingRow[];
  /** Columns added after those that the webview already has. */
  readonly columns: readonly ValueColumn[];
}

/** A row of a view, or one cell of it. */
export interface ReadingCellRef extends ReadingView {
  readonly index: number;
  /** ID of the column; absent for the whole reading, as JSON. */
  readonly column?: string | undefined;
}

const isReadingCellRef = isShape<ReadingCellRef>({
  ...view,
  index: isNumber,
  column: isOptional(isString),
});

export interface CopyRows extends ReadingView, CopiedSpan {}

/** Requests the numbers to draw in a chart. All rows up to the host's limit are used. */
export interface ChartRequest extends ReadingListingRef {
  /** IDs of the columns to draw. */
  readonly columns: readonly string[];
  /** Start and end (inclusive) in milliseconds since 1970; if absent, the first or last reading. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Numbers of one column of one resource. */
export interface ChartLine {
  readonly name: string;
  readonly resource: string;
  /** Number of points, including those that aren't drawn. */
  readonly points: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly first: number;
  readonly last: number;
  /**
   * Times in milliseconds since 1970 and values, both as doubles, oldest first. There are fewer
   * than `points` if the line is downsampled.
   */
  readonly times: ArrayBuffer;
  readonly values: ArrayBuffer;
}

const isLine = isShape<ChartLine>({
  name: isString,
  resource: isString,
  points: isNumber,
  least: isNumber,
  greatest: isNumber,
  mean: isNumber,
  first: isNumber,
  last: isNumber,
  times: isBytes,
  values: isBytes,
});

export interface ReadingChart {
  readonly lines: readonly ChartLine[];
  /**
   * Number of omitted lines. If there are too many lines, those with the fewest points are omitted.
   */
  readonly leftOut: number;
  /** Number of loaded rows; the next member is the number of rows that match the filter. */
  readonly read: number;
  readonly count: number;
  /** True if lines are downsampled. */
  readonly thinned: boolean;
}

/** A resource with readings, and the method that captured them. */
export interface LatestSource {
  /** Opaque key. */
  readonly key: string;
  readonly resource: string;
  readonly method: string;
}

export interface LatestValue {
  readonly name: string;
  readonly text: string;
}

export interface Latest {
  /** Time in milliseconds since 1970; absent if there is no reading in the last year. */
  readonly at?: number | undefined;
  readonly values: readonly LatestValue[];
}

const isLatestRef = isShape<ReadingListingRef & { key: string }>({ ...listingRef, key: isString });

/** Messages about readings. A request for a different generation fails with `conflict`. */
export const readingMessages = {
  /** Returns rows of a view. Loads missing rows unless the view is sorted. */
  readingRows: request(
    isShape<ReadingView & { start: number; end: number; columns: number }>({
      ...view,
      start: isNumber,
      end: isNumber,
      // Number of payload columns that the webview already has.
      columns: isNumber,
    }),
    isShape<ReadingRows>({
      ...progress,
      start: isNumber,
      rows: isListOf(
        isShape<ReadingRow>({
          at: isNumber,
          cells: isListOf(isValueCell),
        }),
      ),
      columns: isListOf(isValueColumn),
    }),
  ),
  /**
   * Loads readings until a given number of rows is available. Each page is reported by
   * `readingsRead`.
   */
  readMoreReadings: request(
    isShape<ReadingListingRef & { upTo: number }>({ ...listingRef, upTo: isNumber }),
    isShape<ReadingProgress>(progress),
  ),
  readingsRead: notification(
    isShape<ReadingListingRef & ReadingProgress>({ ...listingRef, ...progress }),
  ),
  readingText: request(isReadingCellRef, isFullText),
  copyReadingCell: command(isReadingCellRef),
  copyReadings: command(isShape<CopyRows>({ ...view, ...copiedSpan })),
  /** Writes everything that matches the filter to a file that the user selects. */
  exportReadings: command(isShape<{ generation: number }>({ generation: isNumber })),
  /** Returns the columns with numbers in the loaded readings. */
  numericReadingColumns: request(
    isListingRef,
    isShape<{ columns: readonly ValueColumn[] }>({ columns: isListOf(isValueColumn) }),
  ),
  chartReadings: request(
    isShape<ChartRequest>({
      ...listingRef,
      columns: isListOf(isString),
      start: isOptional(isNumber),
      end: isOptional(isNumber),
    }),
    isShape<ReadingChart>({
      lines: isListOf(isLine),
      leftOut: isNumber,
      read: isNumber,
      count: isNumber,
      thinned: isBoolean,
    }),
  ),
  /** Returns the resources that captured the loaded readings. */
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

/** Strings of the readings tab. The webview replaces the placeholders in braces. */
export interface ReadingStrings {
  readonly views: {
    readonly label: string;
    readonly table: string;
    readonly chart: string;
    readonly latest: string;
  };
  readonly tools: TableToolStrings & {
    readonly newestFirst: string;
    readonly oldestFirst: string;
    readonly timesInUtc: string;
  };
  readonly table: GridStrings & {
    readonly columnNames: Readonly<Record<(typeof fixedColumns)[number], string>>;
  };
  readonly columns: ChooserStrings;
  readonly status: {
    /** {0} is the number of loaded readings, {1} the total number. */
    readonly read: string;
    readonly all: string;
    readonly sorted: string;
    readonly readAll: string;
    readonly readMost: string;
    readonly reading: string;
    readonly stop: string;
    readonly full: string;
    readonly overflow: string;
    readonly selectedOne: string;
    readonly selected: string;
  };
  readonly viewer: ViewerStrings;
  readonly states: {
    readonly loading: string;
    readonly empty: string;
    readonly nothingYet: string;
    readonly failed: string;
  };
  readonly chart: ChartTableStrings & {
    readonly label: string;
    readonly choose: string;
    readonly chooseHint: string;
    readonly noNumbers: string;
    readonly keys: string;
    /** {0} is the number of points, {1} and {2} are the first and last times. */
    readonly points: string;
    readonly rows: string;
    readonly thinned: string;
    readonly leftOut: string;
    readonly mostColumns: string;
    readonly wholeSpan: string;
    readonly noData: string;
  };
  readonly latest: {
    readonly label: string;
    readonly resource: string;
    readonly method: string;
    readonly when: string;
    readonly value: string;
    readonly noData: string;
    /** {0} is the number of resources, {1} the number of readings. */
    readonly among: string;
    readonly refresh: string;
  };
}

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
import { copiedSpan, isFullText, isValueCell, isValueColumn } from '../tables';

export const readingOrders = ['newestFirst', 'oldestFirst'] as const;
export type ReadingOrder = (typeof readingOrders)[number];
const isOrder = isOneOf(...readingOrders);

const listingRef = { generation: isNumber, order: isOrder } as const;
const isListingRef = isShape(listingRef);
/** Readings in one generation, in the service's order. */
export type ReadingListingRef = Guarded<typeof isListingRef>;

const isReadingSort = isShape({
  column: isString,
  descending: isBoolean,
  /** Number of readings, from the first one on, that are sorted. Later ones aren't in the view. */
  among: isNumber,
});
/** Sort order of a number of readings. */
export type ReadingSort = Guarded<typeof isReadingSort>;

const view = {
  ...listingRef,
  /**
   * Sort order of the loaded readings. It is applied by the host because the service can sort only
   * by time.
   */
  sort: isOptional(isReadingSort),
} as const;
const isReadingView = isShape(view);
/**
 * Rows in the order in which a table shows them. Each index refers to the same reading, even after
 * more readings are loaded.
 */
export type ReadingView = Guarded<typeof isReadingView>;

/**
 * IDs of the columns that all readings have. The IDs of payload columns are `d0`, `d1`, and so on.
 */
export const fixedColumns = ['time', 'machine', 'part', 'component', 'method', 'tags'] as const;

const progress = {
  read: isNumber,
  /** Number of readings that match the filter. */
  count: isNumber,
  /** True if loading stopped because the buffer is full. */
  full: isBoolean,
  /** True if some values have no column because there are too many columns. */
  hasOverflow: isBoolean,
} as const;
const isProgress = isShape(progress);
/** Loading progress of a list of readings. */
export type ReadingProgress = Guarded<typeof isProgress>;

const isReadingCellRef = isShape({
  ...view,
  index: isNumber,
  /** ID of the column; absent for the whole reading, as JSON. */
  column: isOptional(isString),
});
/** A row in a view, or one of its cells. */
export type ReadingCellRef = Guarded<typeof isReadingCellRef>;

const isCopyRows = isShape({ ...view, ...copiedSpan });

const isChartRequest = isShape({
  ...listingRef,
  /** IDs of the columns to draw. */
  columns: isListOf(isString),
  /** Start and end (inclusive) in milliseconds since 1970; if absent, the first or last reading. */
  start: isOptional(isNumber),
  end: isOptional(isNumber),
});
/** Requests the numbers to draw in a chart. All rows up to the host's limit are used. */
export type ChartRequest = Guarded<typeof isChartRequest>;

const isLine = isShape({
  name: isString,
  resource: isString,
  /** Number of points, including those that aren't drawn. */
  points: isNumber,
  least: isNumber,
  greatest: isNumber,
  mean: isNumber,
  first: isNumber,
  last: isNumber,
  /**
   * Times in milliseconds since 1970 and values, both as doubles, oldest first. There are fewer
   * than `points` if the line is downsampled.
   */
  times: isBytes,
  values: isBytes,
});
/** Numbers in one column for one resource. */
export type ChartLine = Guarded<typeof isLine>;

const isLatestRef = isShape({ ...listingRef, key: isString });

const isReadingRow = isShape({
  /** Time of capture, in milliseconds since 1970, with microsecond precision. */
  at: isNumber,
  /** Cells for which the reading has values, excluding the time. */
  cells: isListOf(isValueCell),
});
export type ReadingRow = Guarded<typeof isReadingRow>;

const isReadingRows = isShape({
  ...progress,
  start: isNumber,
  rows: isListOf(isReadingRow),
  /** Columns added after those that the webview already has. */
  columns: isListOf(isValueColumn),
});

const isReadingChart = isShape({
  lines: isListOf(isLine),
  /**
   * Number of omitted lines. If there are too many lines, those with the fewest points are omitted.
   */
  leftOut: isNumber,
  /** Number of loaded rows; the next member is the number of rows that match the filter. */
  read: isNumber,
  count: isNumber,
  /** True if lines are downsampled. */
  thinned: isBoolean,
});
export type ReadingChart = Guarded<typeof isReadingChart>;

const isLatestSource = isShape({
  /** Opaque key. */
  key: isString,
  resource: isString,
  method: isString,
});
/** A resource with readings, and the method that captured them. */
export type LatestSource = Guarded<typeof isLatestSource>;

const isLatestValue = isShape({
  name: isString,
  text: isString,
});
export type LatestValue = Guarded<typeof isLatestValue>;

const isLatest = isShape({
  /** Time in milliseconds since 1970; absent if there is no reading in the last year. */
  at: isOptional(isNumber),
  values: isListOf(isLatestValue),
});
export type Latest = Guarded<typeof isLatest>;

/** Messages about readings. A request for a different generation fails with `conflict`. */
export const readingMessages = {
  /** Returns rows in a view. Loads missing rows unless the view is sorted. */
  readingRows: request(
    isShape({
      ...view,
      start: isNumber,
      end: isNumber,
      // Number of payload columns that the webview already has.
      columns: isNumber,
    }),
    isReadingRows,
  ),
  /**
   * Loads readings until a given number of rows is available. Each page is reported by
   * `readingsRead`.
   */
  readMoreReadings: request(isShape({ ...listingRef, upTo: isNumber }), isProgress),
  readingsRead: notification(isShape({ ...listingRef, ...progress })),
  readingText: request(isReadingCellRef, isFullText),
  copyReadingCell: command(isReadingCellRef),
  copyReadings: command(isCopyRows),
  /** Writes everything that matches the filter to a file that the user selects. */
  exportReadings: command(isShape({ generation: isNumber })),
  /** Returns the columns with numbers in the loaded readings. */
  numericReadingColumns: request(isListingRef, isShape({ columns: isListOf(isValueColumn) })),
  chartReadings: request(isChartRequest, isReadingChart),
  /** Returns the resources that captured the loaded readings. */
  latestSources: request(
    isListingRef,
    isShape({
      sources: isListOf(isLatestSource),
      read: isNumber,
    }),
  ),
  latestReading: request(isLatestRef, isLatest),
} as const;

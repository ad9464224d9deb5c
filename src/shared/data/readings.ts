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

/** Sorts what was read so far by one column; the service knows times only. */
export interface ReadingSort {
  readonly column: string;
  readonly descending: boolean;
}

/** The rows as a table shows them: each place is one reading, as long as nothing more is read. */
export interface ReadingView extends ReadingListingRef {
  readonly sort?: ReadingSort | undefined;
}

const view = {
  ...listingRef,
  sort: isOptional(isShape<ReadingSort>({ column: isString, descending: isBoolean })),
} as const;

/** Ids of the columns that all readings have; those of payloads are `d0`, `d1` and so on. */
export const fixedColumns = ['time', 'machine', 'part', 'component', 'method', 'tags'] as const;

/** A column of what is within payloads; the same in a listing as long as its generation lasts. */
export interface ReadingColumn {
  readonly id: string;
  /** Such as `data.readings.temperature`. */
  readonly name: string;
}

const isColumn = isShape<ReadingColumn>({ id: isString, name: isString });

export const cellKinds = ['number', 'text', 'boolean', 'time', 'null', 'json', 'binary'] as const;

export interface ReadingCell {
  readonly column: string;
  readonly kind: (typeof cellKinds)[number];
  /** On one line, shortened. */
  readonly text: string;
}

export interface ReadingRow {
  /** When it was captured, in milliseconds since 1970, to the microsecond. */
  readonly at: number;
  /** Only those that the reading has; the time is none of them. */
  readonly cells: readonly ReadingCell[];
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
  readonly columns: readonly ReadingColumn[];
}

/** A row of a view, or one cell of it. */
export interface ReadingPlace extends ReadingView {
  readonly place: number;
  /** Absent: all that is known of the reading, as JSON. */
  readonly column?: string | undefined;
}

const isPlace = isShape<ReadingPlace>({ ...view, place: isNumber, column: isOptional(isString) });

export interface CopyRows extends ReadingView {
  /** Places, the end excluded. */
  readonly start: number;
  readonly end: number;
  /** Ids, in the order in which they are copied. */
  readonly columns: readonly string[];
  readonly format: 'tsv' | 'json';
}

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
          cells: isListOf(
            isShape<ReadingCell>({
              ...{ column: isString, text: isString },
              kind: isOneOf(...cellKinds),
            }),
          ),
        }),
      ),
      columns: isListOf(isColumn),
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
  /** A cell or a reading as a whole; its start when it is very long. */
  readingText: request(
    isPlace,
    isShape<{ text: string; characters: number }>({ text: isString, characters: isNumber }),
  ),
  copyReadingCell: command(isPlace),
  copyReadings: command(
    isShape<CopyRows>({
      ...{ ...view, start: isNumber, end: isNumber },
      ...{ columns: isListOf(isString), format: isOneOf('tsv', 'json') },
    }),
  ),
  /** Writes all that the filter selects to a file of the person's choice. */
  exportReadings: command(isShape<{ generation: number }>({ generation: isNumber })),
  /** Columns with numbers in what was read. */
  numericReadingColumns: request(
    isListingRef,
    isShape<{ columns: readonly ReadingColumn[] }>({ columns: isListOf(isColumn) }),
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

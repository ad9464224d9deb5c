import type { AnsiSpan } from '../base/ansiText';
import {
  type Guard,
  isBoolean,
  isListOf,
  isUndefined,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from './guards';
import { command, notification, request } from './protocol';
import { isRecoveryAction, type RecoveryAction, recoveryMessages } from './recoveryAction';

export type { AnsiSpan };

const isAnsiSpan: Guard<AnsiSpan> = isShape<AnsiSpan>({
  start: isNumber,
  end: isNumber,
  color: isOptional(isNumber),
  background: isOptional(isNumber),
  bold: isOptional(isBoolean),
  dim: isOptional(isBoolean),
  italic: isOptional(isBoolean),
  underline: isOptional(isBoolean),
});

/** Log levels by which lines can be filtered. `other` covers unknown levels. */
export const levelKinds = ['debug', 'info', 'warn', 'error', 'other'] as const;
export type LevelKind = (typeof levelKinds)[number];

/** Filter of the lines that the panel shows. */
export interface LogFilter {
  /** Shows only lines of these levels. */
  readonly levels: readonly LevelKind[];
  /** Shows only lines of parts with these keys; undefined for all parts. */
  readonly parts?: readonly string[] | undefined;
  /** Shows only lines that contain this text; empty for all lines. */
  readonly text: string;
  /** True if the text is a regular expression. */
  readonly isPattern: boolean;
  readonly matchCase: boolean;
}

/** The filter that matches all lines. */
export const everyLine: LogFilter = {
  levels: levelKinds,
  text: '',
  isPattern: false,
  matchCase: false,
};

/** Order of the rows: either by the time that the machine reported or by the time of receipt. */
const rowOrders = ['time', 'receipt'] as const;
export type RowOrder = (typeof rowOrders)[number];

/** A log line as a row of the panel. */
export interface LineRow {
  readonly kind: 'line';
  /** Identifies the row while it exists. */
  readonly key: number;
  /** Key of the part that logged the line. */
  readonly part: string;
  /** Time in milliseconds since 1970, as reported by the machine. */
  readonly at: number;
  /** Time of receipt in milliseconds since 1970, if known. */
  readonly receivedAt?: number | undefined;
  /** Difference between `receivedAt` and `at` in milliseconds; absent if it is small. */
  readonly skew?: number | undefined;
  readonly level: LevelKind;
  /** Level as the machine reported it. */
  readonly levelText: string;
  readonly logger: string;
  /** The message on one line, or the beginning of a long message. */
  readonly text: string;
  /** Ranges of `text` that match the filter, each with a start and an end. */
  readonly found: readonly (readonly [start: number, end: number])[];
  /** Ranges of `text` that the machine colored; absent if there are none. */
  readonly styles?: readonly AnsiSpan[] | undefined;
}

/** A gap in the log where lines are missing or were missing before they were loaded. */
export interface GapRow {
  readonly kind: 'gap';
  readonly key: number;
  readonly at: number;
  /** Explanation of the gap. */
  readonly text: string;
  /** True if the missing lines can be loaded. */
  readonly canLoad: boolean;
  readonly loading: boolean;
}

export type LogRow = LineRow | GapRow;

/** A range of consecutive rows that match the filter. */
export interface LogRows {
  /** Index of the first row. Indexes change only as reported by `changed`. */
  readonly start: number;
  readonly rows: readonly LogRow[];
}

/** A part whose log the panel follows. */
export interface LogPart {
  readonly key: string;
  /**
   * Label that distinguishes the part from the others, such as `rover-07` or `rover-07 ›
   * rover-07-arm`.
   */
  readonly label: string;
  readonly state: 'connecting' | 'live' | 'silent' | 'retrying' | 'stopped';
  /** Description of the part's state and the reason for it. */
  readonly detail: string;
  /** Time of the next connection attempt, in milliseconds since 1970. */
  readonly retryAt?: number | undefined;
  /** Recovery action if the part isn't connected. */
  readonly way?: RecoveryAction | undefined;
}

/** Numbers of lines. */
export interface LogCounts {
  /** Number of buffered lines; the next member is its maximum. */
  readonly buffered: number;
  readonly limit: number;
  /** Number of lines that were dropped from the buffer, oldest first, because it was full. */
  readonly dropped: number;
  /**
   * Number of lines that the service dropped because they arrived too fast, and that couldn't be
   * loaded later.
   */
  readonly missed: number;
  /** Number of lines that arrived while the panel was paused and that match the filter. */
  readonly waiting: number;
}

/**
 * A change to the rows. Rows have consecutive integer indexes, which can be negative: `first` is
 * the index of the oldest row, and `end` is one more than the index of the newest row. The index of
 * a row changes only with `moves` or `reset`.
 */
export interface LogChange {
  /** Number of the change. The webview reports the number of the last change that it has drawn. */
  readonly revision: number;
  readonly first: number;
  readonly end: number;
  /**
   * Moves to apply in order. Each move shifts the rows from index `at` onward by `by` positions. If
   * `by` is negative, that many rows were removed, starting at `at`. If `by` is 0, no row moved,
   * but the appearance of the row at `at` changed. A move by more than 64 positions can represent
   * multiple smaller moves. In this case, the rows in its range must be requested again.
   */
  readonly moves: readonly { readonly at: number; readonly by: number }[];
  /** True if all rows were replaced: the filter changed, or the panel was cleared. */
  readonly reset: boolean;
  /** The newest rows, while the webview follows the end. */
  readonly newest?: LogRows | undefined;
  readonly counts: LogCounts;
  readonly paused: boolean;
  /** True while the filter is applied to the buffered lines. */
  readonly filtering: boolean;
  readonly loadingOlder: boolean;
  /** True if there are lines older than the oldest buffered line. */
  readonly hasOlder: boolean;
}

/** All details of a log line. */
export interface LogDetails {
  /** Message without escape sequences. */
  readonly message: string;
  /** Ranges of `message` that the machine colored; absent if there are none. */
  readonly styles?: readonly AnsiSpan[] | undefined;
  /**
   * Fields, source location, stack trace, and host, if the machine reports them. Values can contain
   * more than one line.
   */
  readonly entries: readonly { readonly name: string; readonly value: string }[];
}

const isLineRow = isShape<LineRow>({
  kind: isOneOf('line'),
  key: isNumber,
  part: isString,
  at: isNumber,
  level: isOneOf(...levelKinds),
  levelText: isString,
  logger: isString,
  text: isString,
  found: isListOf(
    (value): value is readonly [number, number] => isListOf(isNumber)(value) && value.length === 2,
  ),
  styles: isOptional(isListOf(isAnsiSpan)),
  receivedAt: isOptional(isNumber),
  skew: isOptional(isNumber),
});

const isGapRow = isShape<GapRow>({
  kind: isOneOf('gap'),
  key: isNumber,
  at: isNumber,
  text: isString,
  canLoad: isBoolean,
  loading: isBoolean,
});

const isRow: Guard<LogRow> = (value): value is LogRow => isLineRow(value) || isGapRow(value);
const isRows = isShape<LogRows>({ start: isNumber, rows: isListOf(isRow) });

const isRowOrder = isOneOf(...rowOrders);

const isFilter = isShape<LogFilter>({
  levels: isListOf(isOneOf(...levelKinds)),
  parts: isOptional(isListOf(isString)),
  text: isString,
  isPattern: isBoolean,
  matchCase: isBoolean,
});

const isPart = isShape<LogPart>({
  key: isString,
  label: isString,
  state: isOneOf('connecting', 'live', 'silent', 'retrying', 'stopped'),
  detail: isString,
  retryAt: isOptional(isNumber),
  way: isOptional(isRecoveryAction),
});

const isCounts = isShape<LogCounts>({
  buffered: isNumber,
  limit: isNumber,
  dropped: isNumber,
  missed: isNumber,
  waiting: isNumber,
});

const isChange = isShape<LogChange>({
  revision: isNumber,
  first: isNumber,
  end: isNumber,
  moves: isListOf(isShape<{ at: number; by: number }>({ at: isNumber, by: isNumber })),
  reset: isBoolean,
  newest: isOptional(isRows),
  counts: isCounts,
  paused: isBoolean,
  filtering: isBoolean,
  loadingOlder: isBoolean,
  hasOlder: isBoolean,
});

const isDetails = isShape<LogDetails>({
  message: isString,
  styles: isOptional(isListOf(isAnsiSpan)),
  entries: isListOf(isShape<{ name: string; value: string }>({ name: isString, value: isString })),
});

interface Start {
  /** BCP 47 language tag for formatting times and numbers. */
  readonly locale: string;
  /**
   * State to save with `setState` so that the panel can be restored after the window is reloaded.
   * Only the host interprets it.
   */
  readonly panel: string;
  readonly filter: LogFilter;
}

const isKey = isShape<{ readonly key: number }>({ key: isNumber });
const isPartKey = isShape<{ readonly part: string }>({ part: isString });
/** Range of rows by key, inclusive; undefined for all rows. */
const isRowRange = isOptional(
  isShape<{ readonly from: number; readonly to: number }>({ from: isNumber, to: isNumber }),
);

/** Messages between the log panel and its host. */
export const logsProtocol = {
  /**
   * Handshake. A panel that is restored after the window is reloaded sends its previous filter and
   * order.
   */
  ready: request(
    isShape<{ readonly filter?: LogFilter | undefined; readonly order?: RowOrder | undefined }>({
      filter: isOptional(isFilter),
      order: isOptional(isRowOrder),
    }),
    isShape<Start>({ locale: isString, panel: isString, filter: isFilter }),
  ),
  /** Returns the available rows in a range. */
  rows: request(
    isShape<{ readonly start: number; readonly end: number }>({ start: isNumber, end: isNumber }),
    isRows,
  ),
  /**
   * Applies a new filter. If the filter is invalid, returns the error without changing anything.
   */
  setFilter: request(
    isFilter,
    isShape<{ readonly problem?: string | undefined }>({ problem: isOptional(isString) }),
  ),
  setOrder: command(isShape<{ readonly order: RowOrder }>({ order: isRowOrder })),
  details: request(isKey, isDetails),
  /** Loads lines that are older than the oldest loaded line. */
  loadOlder: request(isUndefined, isUndefined),
  /** Loads the missing lines at a gap. */
  loadGap: request(isKey, isUndefined),
  /** Finds the first row at or after a given time. Loads lines around that time if necessary. */
  jump: request(
    isShape<{ readonly at: number }>({ at: isNumber }),
    isShape<{ readonly index?: number | undefined }>({ index: isOptional(isNumber) }),
  ),
  /** Reports that a change has been drawn and the next one can be sent. */
  drawn: command(isShape<{ readonly revision: number }>({ revision: isNumber })),
  /** Sets how many of the newest rows changes include; 0 for none. */
  follow: command(isShape<{ readonly rows: number }>({ rows: isNumber })),
  pause: command(isShape<{ readonly paused: boolean }>({ paused: isBoolean })),
  clear: command(isUndefined),
  copy: command(isRowRange),
  exportLines: command(isUndefined),
  openDocument: command(isUndefined),
  /**
   * Opens a query for the readings in the time range of these lines and of the parts that logged
   * them.
   */
  queryReadings: command(isRowRange),
  addParts: command(isUndefined),
  removePart: command(isPartKey),
  /** Connects to a part immediately, or reconnects after the connection was stopped. */
  reconnect: command(isPartKey),
  ...recoveryMessages,
  /** Opens the VS Code setting for the maximum number of buffered lines. */
  changeLimit: command(isUndefined),
  /**
   * Reports that the parts, their states, or their names changed. `panel` is the new state for
   * `setState`.
   */
  partsChanged: notification(
    isShape<{ readonly parts: readonly LogPart[]; readonly panel: string }>({
      parts: isListOf(isPart),
      panel: isString,
    }),
  ),
  changed: notification(isChange),
} as const;

export type LogsProtocol = typeof logsProtocol;

/** State that the panel saves with `setState`. */
export interface LogPanelState {
  readonly panel: string;
  readonly filter: LogFilter;
  /** True to show times in UTC instead of the local time zone. */
  readonly utc: boolean;
  /** Order of the rows; if absent, by time. */
  readonly order?: RowOrder | undefined;
}

export const isLogPanelState = isShape<LogPanelState>({
  panel: isString,
  filter: isFilter,
  utc: isBoolean,
  order: isOptional(isRowOrder),
});

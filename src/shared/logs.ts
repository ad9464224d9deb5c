import type { AnsiSpan } from '../base/ansiText';
import {
  type Guarded,
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
import { isRecoveryAction, recoveryMessages } from './recoveryAction';

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

/** The filter that matches all lines. */
export const everyLine: LogFilter = {
  levels: levelKinds,
  text: '',
  isPattern: false,
  matchCase: false,
};

/** Order of the rows, either by the time that the machine reported or by receipt time. */
const rowOrders = ['time', 'receipt'] as const;
export type RowOrder = (typeof rowOrders)[number];

export type LogRow = LineRow | GapRow;

const isLineRow = isShape({
  kind: isOneOf('line'),
  /** Identifies the row while it exists. */
  key: isNumber,
  /** Key of the part that logged the line. */
  part: isString,
  /** Time in milliseconds since 1970, as reported by the machine. */
  at: isNumber,
  /** Time of receipt in milliseconds since 1970, if known. */
  receivedAt: isOptional(isNumber),
  /** Difference between `receivedAt` and `at` in milliseconds; absent if it is small. */
  skew: isOptional(isNumber),
  level: isOneOf(...levelKinds),
  /** Level as the machine reported it. */
  levelText: isString,
  logger: isString,
  /** The message on one line, or the beginning of a long message. */
  text: isString,
  /** Ranges in `text` that match the filter, each with a start and an end. */
  found: isListOf(
    (value): value is readonly [number, number] => isListOf(isNumber)(value) && value.length === 2,
  ),
  /** Ranges in `text` that the machine colored; absent if there are none. */
  styles: isOptional(isListOf(isAnsiSpan)),
});
/** A log line as a row in the panel. */
export type LineRow = Guarded<typeof isLineRow>;

const isGapRow = isShape({
  kind: isOneOf('gap'),
  key: isNumber,
  at: isNumber,
  /** Explanation of the gap. */
  text: isString,
  /** True if the missing lines can be loaded. */
  canLoad: isBoolean,
  loading: isBoolean,
});
/** A gap in the log where lines are missing or were missing before they were loaded. */
export type GapRow = Guarded<typeof isGapRow>;

const isRow: Guard<LogRow> = (value): value is LogRow => isLineRow(value) || isGapRow(value);
const isRows = isShape({
  /** Index of the first row. Indexes change only as reported by `changed`. */
  start: isNumber,
  rows: isListOf(isRow),
});
/** A range of consecutive rows that match the filter. */
export type LogRows = Guarded<typeof isRows>;

const isRowOrder = isOneOf(...rowOrders);

const isFilter = isShape({
  /** Shows only lines with these levels. */
  levels: isListOf(isOneOf(...levelKinds)),
  /** Shows only lines of parts with these keys; undefined for all parts. */
  parts: isOptional(isListOf(isString)),
  /** Shows only lines that contain this text; empty for all lines. */
  text: isString,
  /** True if the text is a regular expression. */
  isPattern: isBoolean,
  matchCase: isBoolean,
});
/** Filter for the lines that the panel shows. */
export type LogFilter = Guarded<typeof isFilter>;

const isPart = isShape({
  key: isString,
  /**
   * Label that distinguishes the part from the other parts, such as `rover-07` or `rover-07 ›
   * rover-07-arm`.
   */
  label: isString,
  state: isOneOf('connecting', 'live', 'silent', 'retrying', 'stopped'),
  /** Description of the part's state and the reason for it. */
  detail: isString,
  /** Time of the next connection attempt, in milliseconds since 1970. */
  retryAt: isOptional(isNumber),
  /** Recovery action if the part isn't connected. */
  recovery: isOptional(isRecoveryAction),
});
/** A part whose log the panel follows. */
export type LogPart = Guarded<typeof isPart>;

const isCounts = isShape({
  /** Number of buffered lines; the next member is its maximum. */
  buffered: isNumber,
  limit: isNumber,
  /** Number of lines that were dropped from the buffer, oldest first, because it was full. */
  dropped: isNumber,
  /**
   * Number of lines that the service dropped because they arrived too fast, and that couldn't be
   * loaded later.
   */
  missed: isNumber,
  /** Number of lines that arrived while the panel was paused and that match the filter. */
  waiting: isNumber,
});
/** Line counts. */
export type LogCounts = Guarded<typeof isCounts>;

const isChange = isShape({
  /** Number of the change. The webview reports the number of the last change that it has drawn. */
  revision: isNumber,
  first: isNumber,
  end: isNumber,
  /**
   * Moves to apply in order. Each move shifts the rows from index `at` onward by `by` positions. If
   * `by` is negative, that many rows were removed, starting at `at`. If `by` is 0, no row moved,
   * but the appearance of the row at `at` changed. A move by more than 64 positions can represent
   * multiple smaller moves. In this case, the rows in its range must be requested again.
   */
  moves: isListOf(isShape({ at: isNumber, by: isNumber })),
  /** True if all rows were replaced because the filter changed or the panel was cleared. */
  reset: isBoolean,
  /** The newest rows, while the webview follows the end. */
  newest: isOptional(isRows),
  counts: isCounts,
  paused: isBoolean,
  /** True while the filter is applied to the buffered lines. */
  filtering: isBoolean,
  loadingOlder: isBoolean,
  /** True if there are lines older than the oldest buffered line. */
  hasOlder: isBoolean,
});
/**
 * A change to the rows. Rows have consecutive integer indexes, which can be negative: `first` is
 * the index of the oldest row, and `end` is one more than the index of the newest row. The index of
 * a row changes only with `moves` or `reset`.
 */
export type LogChange = Guarded<typeof isChange>;

const isDetails = isShape({
  /** Message without escape sequences. */
  message: isString,
  /** Ranges of `message` that the machine colored; absent if there are none. */
  styles: isOptional(isListOf(isAnsiSpan)),
  /**
   * Fields, source location, stack trace, and host, if the machine reports them. Values can contain
   * more than one line.
   */
  entries: isListOf(isShape({ name: isString, value: isString })),
});
/** All details about a log line. */
export type LogDetails = Guarded<typeof isDetails>;

const isKey = isShape({ key: isNumber });
const isPartKey = isShape({ part: isString });
/** Range of rows by key, inclusive; undefined for all rows. */
const isRowRange = isOptional(isShape({ from: isNumber, to: isNumber }));

const isStart = isShape({
  /** BCP 47 language tag for formatting times and numbers. */
  locale: isString,
  /**
   * State to save with `setState` so that the panel can be restored after the window is reloaded.
   * Only the host interprets it.
   */
  panel: isString,
  filter: isFilter,
});

/** Messages between the log panel and its host. */
export const logsProtocol = {
  /**
   * Handshake. A panel that is restored after the window is reloaded sends its previous filter and
   * order.
   */
  ready: request(
    isShape({
      filter: isOptional(isFilter),
      order: isOptional(isRowOrder),
    }),
    isStart,
  ),
  /** Returns the available rows in a range. */
  rows: request(isShape({ start: isNumber, end: isNumber }), isRows),
  /**
   * Applies a new filter. If the filter is invalid, returns the error without changing anything.
   */
  setFilter: request(isFilter, isShape({ problem: isOptional(isString) })),
  setOrder: command(isShape({ order: isRowOrder })),
  details: request(isKey, isDetails),
  /** Loads lines that are older than the oldest loaded line. */
  loadOlder: request(isUndefined, isUndefined),
  /** Loads the missing lines at a gap. */
  loadGap: request(isKey, isUndefined),
  /** Finds the first row at or after a given time. Loads lines around that time if necessary. */
  jump: request(isShape({ at: isNumber }), isShape({ index: isOptional(isNumber) })),
  /** Reports that a change has been drawn and the next one can be sent. */
  drawn: command(isShape({ revision: isNumber })),
  /** Sets the number of newest rows to include in each change; 0 for none. */
  follow: command(isShape({ rows: isNumber })),
  pause: command(isShape({ paused: isBoolean })),
  clear: command(isUndefined),
  copy: command(isRowRange),
  exportLines: command(isUndefined),
  openDocument: command(isUndefined),
  /**
   * Opens a query for readings from the parts that logged these lines, limited to the time range of
   * the lines.
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
    isShape({
      parts: isListOf(isPart),
      panel: isString,
    }),
  ),
  changed: notification(isChange),
} as const;

export type LogsProtocol = typeof logsProtocol;

export const isLogPanelState = isShape({
  panel: isString,
  filter: isFilter,
  /** True to show times in UTC instead of the local time zone. */
  utc: isBoolean,
  /** Order of the rows; if absent, by time. */
  order: isOptional(isRowOrder),
});
/** State that the panel saves with `setState`. */
export type LogPanelState = Guarded<typeof isLogPanelState>;

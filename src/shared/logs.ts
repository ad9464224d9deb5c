import type { AnsiSpan } from '../base/ansiText';
import {
  type Guard,
  isBoolean,
  isListOf,
  isNothing,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from './guards';
import type { LogStrings } from './logStrings';
import { isLogStrings } from './logStrings';
import { command, notification, request } from './protocol';
import { isRecoveryAction, type RecoveryAction, recoveryMessages } from './recoveryAction';

export type { AnsiSpan };

const isAnsiSpan: Guard<AnsiSpan> = isShape<AnsiSpan>({
  ...{ start: isNumber, end: isNumber },
  ...{ color: isOptional(isNumber), background: isOptional(isNumber) },
  ...{ bold: isOptional(isBoolean), dim: isOptional(isBoolean) },
  ...{ italic: isOptional(isBoolean), underline: isOptional(isBoolean) },
});

/** Levels for filtering; `other` represents unknown levels. */
export const levelKinds = ['debug', 'info', 'warn', 'error', 'other'] as const;
export type LevelKind = (typeof levelKinds)[number];

/** Filter of the lines that the panel shows. */
export interface LogFilter {
  /** Shows only lines of these levels. */
  readonly levels: readonly LevelKind[];
  /** Shows only lines of these parts, by key; undefined for all. */
  readonly parts?: readonly string[] | undefined;
  /** Shows only lines that contain this text; empty for all. */
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

/** Order of the rows: by the time that the machine logged, or by the time of receipt. */
const rowOrders = ['time', 'receipt'] as const;
export type RowOrder = (typeof rowOrders)[number];

/** A log line as a row of the panel. */
export interface LineRow {
  readonly kind: 'line';
  /** Identifies the row while it exists. */
  readonly key: number;
  /** Key of the part that logged it. */
  readonly part: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Time of receipt in milliseconds since 1970, if known. */
  readonly receivedAt?: number | undefined;
  /** Difference from `receivedAt` to `at`, in milliseconds; absent if it is small. */
  readonly skew?: number | undefined;
  readonly level: LevelKind;
  /** As the machine logged it. */
  readonly levelText: string;
  readonly logger: string;
  /** The message, or the start of a long one, on one line. */
  readonly text: string;
  /** Matches of the filter in `text`: start and end of each. */
  readonly found: readonly (readonly [start: number, end: number])[];
  /** Ranges of `text` that the machine colored; absent if there are none. */
  readonly styles?: readonly AnsiSpan[] | undefined;
}

/** A gap where lines are or were missing. */
export interface GapRow {
  readonly kind: 'gap';
  readonly key: number;
  readonly at: number;
  /** Description of what happened here. */
  readonly text: string;
  /** True if the missing lines can be loaded. */
  readonly canLoad: boolean;
  readonly loading: boolean;
}

export type LogRow = LineRow | GapRow;

/** A range of consecutive rows that match the filter. */
export interface LogRows {
  /** Index of the first row; indexes change only as `changed` reports. */
  readonly start: number;
  readonly rows: readonly LogRow[];
}

/** A part that the panel follows. */
export interface LogPart {
  readonly key: string;
  /**
   * Label that distinguishes it from other parts, such as `rover-07` or `rover-07 › rover-07-arm`.
   */
  readonly label: string;
  readonly state: 'connecting' | 'live' | 'silent' | 'retrying' | 'stopped';
  /** Description of the state and its reason. */
  readonly detail: string;
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly retryAt?: number | undefined;
  /** Recovery action if it isn't connected. */
  readonly way?: RecoveryAction | undefined;
}

/** Numbers of lines. */
export interface LogCounts {
  /** Number of buffered lines, and its maximum. */
  readonly buffered: number;
  readonly limit: number;
  /** Number of lines dropped from the buffer, oldest first, to stay within the limit. */
  readonly dropped: number;
  /**
   * Number of lines that the service dropped because they arrived too fast, and that couldn't be
   * loaded later.
   */
  readonly missed: number;
  /** Number of lines that arrived while the panel was paused and match its filter. */
  readonly waiting: number;
}

/**
 * A change of the rows. Rows have consecutive integer indexes, which can be negative: `first` is
 * the index of the oldest, `end` the one after the newest. A row keeps its index unless `moves` or
 * `reset` change it.
 */
export interface LogChange {
  /** Number of the change; the webview reports which one it has drawn. */
  readonly revision: number;
  readonly first: number;
  readonly end: number;
  /**
   * Consecutive moves: rows from `at` on moved by `by` positions. If `by` is negative, that many
   * rows from `at` on were removed. 0 moves nothing: the row at `at` looks different. A move by
   * more than 64 positions can represent several: rows in its range must be requested again.
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
  /** True if there are lines before the oldest buffered one. */
  readonly hasOlder: boolean;
}

/** All details of one line. */
export interface LogDetails {
  /** Without escape sequences. */
  readonly message: string;
  /** Ranges of `message` that the machine colored; absent if there are none. */
  readonly styles?: readonly AnsiSpan[] | undefined;
  /**
   * Fields, source location, stack trace, and host, if the machine reports them. Values can have
   * several lines.
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
  ...{ receivedAt: isOptional(isNumber), skew: isOptional(isNumber) },
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
  readonly strings: LogStrings;
  /** A BCP 47 tag for times and numbers. */
  readonly locale: string;
  /** State for `setState`, so that the panel survives a window reload; the host interprets it. */
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
   * The handshake; a panel that is restored after a window reload sends its previous filter and
   * order.
   */
  ready: request(
    isShape<{ readonly filter?: LogFilter | undefined; readonly order?: RowOrder | undefined }>({
      ...{ filter: isOptional(isFilter), order: isOptional(isRowOrder) },
    }),
    isShape<Start>({ strings: isLogStrings, locale: isString, panel: isString, filter: isFilter }),
  ),
  /** Returns the available rows of a range. */
  rows: request(
    isShape<{ readonly start: number; readonly end: number }>({ start: isNumber, end: isNumber }),
    isRows,
  ),
  /** Applies another filter; if it is invalid, returns the error and changes nothing. */
  setFilter: request(
    isFilter,
    isShape<{ readonly problem?: string | undefined }>({ problem: isOptional(isString) }),
  ),
  setOrder: command(isShape<{ readonly order: RowOrder }>({ order: isRowOrder })),
  details: request(isKey, isDetails),
  /** Loads lines before the oldest one. */
  loadOlder: request(isNothing, isNothing),
  /** Loads the missing lines at a gap. */
  loadGap: request(isKey, isNothing),
  /** Finds the first row at or after a time; loads lines of that time if necessary. */
  jump: request(
    isShape<{ readonly at: number }>({ at: isNumber }),
    isShape<{ readonly place?: number | undefined }>({ place: isOptional(isNumber) }),
  ),
  /** Reports that a change is drawn, so that the next one can be sent. */
  drawn: command(isShape<{ readonly revision: number }>({ revision: isNumber })),
  /** Sets how many of the newest rows changes include; 0 for none. */
  follow: command(isShape<{ readonly rows: number }>({ rows: isNumber })),
  pause: command(isShape<{ readonly paused: boolean }>({ paused: isBoolean })),
  clear: command(isNothing),
  copy: command(isRowRange),
  exportLines: command(isNothing),
  openDocument: command(isNothing),
  /** Opens a query for the readings in the time range and of the parts of these lines. */
  queryReadings: command(isRowRange),
  addParts: command(isNothing),
  removePart: command(isPartKey),
  /** Connects immediately, or reconnects after it stopped. */
  reconnect: command(isPartKey),
  ...recoveryMessages,
  /** Opens the setting for the maximum number of buffered lines. */
  changeLimit: command(isNothing),
  /** The parts, their states, or their names changed; `panel` is the new state for `setState`. */
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
  /** Absent for the order by time. */
  readonly order?: RowOrder | undefined;
}

export const isLogPanelState = isShape<LogPanelState>({
  panel: isString,
  filter: isFilter,
  utc: isBoolean,
  order: isOptional(isRowOrder),
});

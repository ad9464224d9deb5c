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
import { isWayOut, type WayOut, wayOutMessages } from './wayOut';

export type { AnsiSpan };

const isAnsiSpan: Guard<AnsiSpan> = isShape<AnsiSpan>({
  ...{ start: isNumber, end: isNumber },
  ...{ color: isOptional(isNumber), background: isOptional(isNumber) },
  ...{ bold: isOptional(isBoolean), dim: isOptional(isBoolean) },
  ...{ italic: isOptional(isBoolean), underline: isOptional(isBoolean) },
});

/** What a filter tells apart; `other` is a level that nobody knows. */
export const levelKinds = ['debug', 'info', 'warn', 'error', 'other'] as const;
export type LevelKind = (typeof levelKinds)[number];

/** Which lines the panel shows. */
export interface LogFilter {
  /** Those of these levels. */
  readonly levels: readonly LevelKind[];
  /** Those of these parts, by their key; undefined for all. */
  readonly parts?: readonly string[] | undefined;
  /** Those that say this; empty for all. */
  readonly text: string;
  /** The text is a regular expression. */
  readonly isPattern: boolean;
  readonly matchCase: boolean;
}

/** The filter that every line passes. */
export const everyLine: LogFilter = {
  levels: levelKinds,
  text: '',
  isPattern: false,
  matchCase: false,
};

/** The order of the rows: by the times that machines wrote, or by the times at which lines were received. */
const rowOrders = ['time', 'receipt'] as const;
export type RowOrder = (typeof rowOrders)[number];

/** A line, as a row of the panel. */
export interface LineRow {
  readonly kind: 'line';
  /** Names the row as long as it is there. */
  readonly key: number;
  /** Which of the panel's parts logged it, by its key. */
  readonly part: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** When the line was received, in milliseconds since 1970, as far as that is known. */
  readonly receivedAt?: number | undefined;
  /** How far `at` is after `receivedAt`, in milliseconds; absent when the difference is small. */
  readonly skew?: number | undefined;
  readonly level: LevelKind;
  /** As the machine wrote it. */
  readonly levelText: string;
  readonly logger: string;
  /** The message, or the start of a long one, in one line. */
  readonly text: string;
  /** What the filter found in `text`: start and end of each place. */
  readonly found: readonly (readonly [start: number, end: number])[];
  /** Ranges of `text` that the machine colored; absent for none. */
  readonly styles?: readonly AnsiSpan[] | undefined;
}

/** A place where lines are missing, or were. */
export interface GapRow {
  readonly kind: 'gap';
  readonly key: number;
  readonly at: number;
  /** What happened here, in words. */
  readonly text: string;
  /** Whether the missing lines can be asked for. */
  readonly canLoad: boolean;
  readonly loading: boolean;
}

export type LogRow = LineRow | GapRow;

/** Some of the rows that pass the filter, one after the other. */
export interface LogRows {
  /** The place of the first of them; places only change by what `changed` tells. */
  readonly start: number;
  readonly rows: readonly LogRow[];
}

/** A part that the panel follows. */
export interface LogPart {
  readonly key: string;
  /** Tells it from the others, such as `rover-07` or `rover-07 › rover-07-arm`. */
  readonly label: string;
  readonly state: 'connecting' | 'live' | 'silent' | 'retrying' | 'stopped';
  /** The state in words, and why. */
  readonly detail: string;
  /** When the next attempt is made, in milliseconds since 1970. */
  readonly retryAt?: number | undefined;
  /** What helps where it is not connected. */
  readonly way?: WayOut | undefined;
}

/** How much there is. */
export interface LogCounts {
  /** Lines in memory, and how many may be. */
  readonly buffered: number;
  readonly limit: number;
  /** Lines left out of memory, the oldest first, to stay within the limit. */
  readonly dropped: number;
  /** Lines the service could not hand on as fast as they came, and that were not found again. */
  readonly missed: number;
  /** Lines that came while the panel was paused and pass its filter. */
  readonly waiting: number;
}

/**
 * The rows have changed. Rows have places, whole numbers without gaps that may be below 0: `first` is that of
 * the oldest, `end` that after the newest. A row keeps its place unless `moves` or `reset` say otherwise.
 */
export interface LogChange {
  /** Counts the changes; the webview tells which it has drawn. */
  readonly revision: number;
  readonly first: number;
  readonly end: number;
  /**
   * Rows at `at` and after it have moved by `by` places, one move after the other. Below 0, so many rows from
   * `at` on are gone. 0 moves nothing: the row at `at` looks different. A move by more than 64 places may stand
   * for many: rows in their midst have to be asked for again.
   */
  readonly moves: readonly { readonly at: number; readonly by: number }[];
  /** All rows are others: the filter has changed, or the panel was cleared. */
  readonly reset: boolean;
  /** The newest rows, while the webview follows. */
  readonly newest?: LogRows | undefined;
  readonly counts: LogCounts;
  readonly paused: boolean;
  /** The filter is being applied to what is in memory. */
  readonly filtering: boolean;
  readonly loadingOlder: boolean;
  /** There is something before the oldest line. */
  readonly hasOlder: boolean;
}

/** All there is to know of one line. */
export interface LogDetails {
  /** Without escape sequences. */
  readonly message: string;
  /** Ranges of `message` that the machine colored; absent for none. */
  readonly styles?: readonly AnsiSpan[] | undefined;
  /** Fields, place in the code, stack, host, as far as the machine tells them. Values may have several lines. */
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
  way: isOptional(isWayOut),
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
  /** What `setState` keeps, so that the panel survives a window reload; the host understands it. */
  readonly panel: string;
  readonly filter: LogFilter;
}

const isKey = isShape<{ readonly key: number }>({ key: isNumber });
const isPartKey = isShape<{ readonly part: string }>({ part: isString });
/** From one row to another by their keys, both included; undefined for all rows. */
const isRowRange = isOptional(
  isShape<{ readonly from: number; readonly to: number }>({ from: isNumber, to: isNumber }),
);

/** What the log panel and its host say to each other. */
export const logsProtocol = {
  /** The handshake; a panel that comes back after a window reload brings the filter and the order it had. */
  ready: request(
    isShape<{ readonly filter?: LogFilter | undefined; readonly order?: RowOrder | undefined }>({
      ...{ filter: isOptional(isFilter), order: isOptional(isRowOrder) },
    }),
    isShape<Start>({ strings: isLogStrings, locale: isString, panel: isString, filter: isFilter }),
  ),
  /** Rows by their places, as far as they are there. */
  rows: request(
    isShape<{ readonly start: number; readonly end: number }>({ start: isNumber, end: isNumber }),
    isRows,
  ),
  /** Shows what another filter lets pass; answers with what is wrong with it, and leaves things as they are then. */
  setFilter: request(
    isFilter,
    isShape<{ readonly problem?: string | undefined }>({ problem: isOptional(isString) }),
  ),
  setOrder: command(isShape<{ readonly order: RowOrder }>({ order: isRowOrder })),
  details: request(isKey, isDetails),
  /** Loads lines of before the oldest one. */
  loadOlder: request(isNothing, isNothing),
  /** Loads what is missing at a gap. */
  loadGap: request(isKey, isNothing),
  /** Finds the first row at or after a time, loading what was logged then when it is not there. */
  jump: request(
    isShape<{ readonly at: number }>({ at: isNumber }),
    isShape<{ readonly place?: number | undefined }>({ place: isOptional(isNumber) }),
  ),
  /** This change is drawn: the next one may come. */
  drawn: command(isShape<{ readonly revision: number }>({ revision: isNumber })),
  /** Whether changes bring the newest rows with them, and how many. */
  follow: command(isShape<{ readonly rows: number }>({ rows: isNumber })),
  pause: command(isShape<{ readonly paused: boolean }>({ paused: isBoolean })),
  clear: command(isNothing),
  copy: command(isRowRange),
  exportLines: command(isNothing),
  openDocument: command(isNothing),
  /** Opens a query for the readings of the time and the parts of these lines. */
  queryReadings: command(isRowRange),
  addParts: command(isNothing),
  removePart: command(isPartKey),
  /** Connects now instead of later, or again after it stopped. */
  reconnect: command(isPartKey),
  ...wayOutMessages,
  /** Opens the setting of how many lines are kept. */
  changeLimit: command(isNothing),
  /** The parts, their states or their names are others; `panel` is what `setState` keeps from now on. */
  partsChanged: notification(
    isShape<{ readonly parts: readonly LogPart[]; readonly panel: string }>({
      parts: isListOf(isPart),
      panel: isString,
    }),
  ),
  changed: notification(isChange),
} as const;

export type LogsProtocol = typeof logsProtocol;

/** What the panel keeps in `setState`. */
export interface LogPanelState {
  readonly panel: string;
  readonly filter: LogFilter;
  /** Times are shown in UTC, not in the local time zone. */
  readonly utc: boolean;
  /** Absent for the order of time. */
  readonly order?: RowOrder | undefined;
}

export const isLogPanelState = isShape<LogPanelState>({
  panel: isString,
  filter: isFilter,
  utc: isBoolean,
  order: isOptional(isRowOrder),
});

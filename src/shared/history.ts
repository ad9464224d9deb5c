import { isBoolean, isListOf, isNothing, isNumber, isOptional, isShape, isString } from './guards';
import { command, notification, request } from './protocol';
import { type WayOutWords, wayOutMessages } from './wayOut';

/** One state of a document, as the history panel shows it. */
export interface HistoryRow {
  /** Which state; the host understands it. */
  readonly key: string;
  /** Milliseconds since 1970; undefined for what the document began with. */
  readonly madeOn?: number | undefined;
  /** Empty when the service does not tell who it was. */
  readonly editor: string;
  /** What the edit changed, in a few words. */
  readonly summary: string;
  /** All that it changed, one line each. */
  readonly details: readonly string[];
  /** The state the document is in now. */
  readonly current: boolean;
  /** The service kept the text, so that it can be compared and restored. */
  readonly available: boolean;
  /** The state that the edit replaced, where its text is there to compare with. */
  readonly previousKey?: string | undefined;
}

export interface HistorySnapshot {
  /** The document's name. */
  readonly title: string;
  /** Where it is, such as `Acme › rover-07`. */
  readonly place: string;
  readonly rows: readonly HistoryRow[];
  readonly hasMore: boolean;
}

/** Everything the history panel says; the host translates it. */
export interface HistoryStrings extends WayOutWords {
  readonly heading: string;
  /** Stands where the document's name is not read. */
  readonly unnamed: string;
  readonly columns: {
    readonly select: string;
    readonly time: string;
    readonly editor: string;
    readonly change: string;
    readonly actions: string;
  };
  readonly compareSelected: string;
  readonly compareHint: string;
  readonly compareWithCurrent: string;
  readonly showChange: string;
  readonly compareWithCurrentHint: string;
  readonly showChangeHint: string;
  readonly restoreHint: string;
  readonly restore: string;
  readonly refresh: string;
  readonly loadMore: string;
  readonly loading: string;
  readonly empty: string;
  readonly failed: string;
  readonly current: string;
  readonly beginning: string;
  readonly unknownEditor: string;
  readonly notKept: string;
  readonly moreChanges: string;
  /** With `{0}` for the time and `{1}` for the editor. */
  readonly selectRow: string;
}

const isRow = isShape<HistoryRow>({
  key: isString,
  madeOn: isOptional(isNumber),
  editor: isString,
  summary: isString,
  details: isListOf(isString),
  current: isBoolean,
  available: isBoolean,
  previousKey: isOptional(isString),
});

const isSnapshot = isShape<HistorySnapshot>({
  title: isString,
  place: isString,
  rows: isListOf(isRow),
  hasMore: isBoolean,
});

const isStrings = isShape<HistoryStrings>({
  heading: isString,
  unnamed: isString,
  columns: isShape<HistoryStrings['columns']>({
    select: isString,
    time: isString,
    editor: isString,
    change: isString,
    actions: isString,
  }),
  compareSelected: isString,
  compareHint: isString,
  compareWithCurrent: isString,
  showChange: isString,
  compareWithCurrentHint: isString,
  showChangeHint: isString,
  restoreHint: isString,
  restore: isString,
  refresh: isString,
  loadMore: isString,
  retry: isString,
  signIn: isString,
  startLocalFleet: isString,
  loading: isString,
  empty: isString,
  failed: isString,
  current: isString,
  beginning: isString,
  unknownEditor: isString,
  notKept: isString,
  moreChanges: isString,
  selectRow: isString,
});

interface Start {
  readonly strings: HistoryStrings;
  /** A BCP 47 tag for times and numbers. */
  readonly locale: string;
  /** What `setState` keeps beside the selection, so that the panel survives a window reload. */
  readonly document: string;
}

const isKey = isShape<{ readonly key: string }>({ key: isString });

/** What the history panel and its host say to each other. */
export const historyProtocol = {
  /** The handshake: the webview is there and wants what it needs before any data. */
  ready: request(
    isNothing,
    isShape<Start>({ strings: isStrings, locale: isString, document: isString }),
  ),
  /** The history from its newest state; asks the service. */
  load: request(isNothing, isSnapshot),
  /** All that is loaded, and one more page. */
  loadMore: request(isNothing, isSnapshot),
  /** Opens a comparison of two states. */
  compare: command(
    isShape<{ readonly older: string; readonly newer: string }>({
      older: isString,
      newer: isString,
    }),
  ),
  compareWithCurrent: command(isKey),
  restore: command(isKey),
  ...wayOutMessages,
  /** The document changed; what is shown is out of date. */
  changed: notification(isNothing),
} as const;

export type HistoryProtocol = typeof historyProtocol;

/** What the panel keeps in `setState`. */
export interface HistoryPanelState {
  readonly document: string;
  readonly selected: readonly string[];
}

export const isHistoryPanelState = isShape<HistoryPanelState>({
  document: isString,
  selected: isListOf(isString),
});

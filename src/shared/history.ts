import { isBoolean, isListOf, isNothing, isNumber, isOptional, isShape, isString } from './guards';
import { command, notification, request } from './protocol';
import { type RecoveryActionLabels, recoveryMessages } from './recoveryAction';

/** A revision of a document, as the history panel shows it. */
export interface HistoryRow {
  /** Key of the revision, which the host interprets. */
  readonly key: string;
  /** Milliseconds since 1970; undefined for the initial revision. */
  readonly madeOn?: number | undefined;
  /** Empty if the service doesn't report the author. */
  readonly editor: string;
  /** Summary of the edit's changes. */
  readonly summary: string;
  /** All changes of the edit, one line each. */
  readonly details: readonly string[];
  /** True for the current revision of the document. */
  readonly current: boolean;
  /** True if the service stored the text, so that it can be compared and restored. */
  readonly available: boolean;
  /** The revision that the edit replaced, if its text is available for comparison. */
  readonly previousKey?: string | undefined;
}

export interface HistorySnapshot {
  /** The document's name. */
  readonly title: string;
  /** Its path, such as `Acme › rover-07`. */
  readonly place: string;
  readonly rows: readonly HistoryRow[];
  readonly hasMore: boolean;
}

/** All strings of the history panel; the host translates them. */
export interface HistoryStrings extends RecoveryActionLabels {
  readonly heading: string;
  /** Placeholder if the document's name couldn't be loaded. */
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
  /**
   * Saved with `setState` in addition to the selection, so that the panel survives a window reload.
   */
  readonly document: string;
}

const isKey = isShape<{ readonly key: string }>({ key: isString });

/** Messages between the history panel and its host. */
export const historyProtocol = {
  /** The handshake: the webview has started and requests what it needs before any data. */
  ready: request(
    isNothing,
    isShape<Start>({ strings: isStrings, locale: isString, document: isString }),
  ),
  /** Returns the history from its newest revision, requested from the service. */
  load: request(isNothing, isSnapshot),
  /** Returns everything loaded so far and one more page. */
  loadMore: request(isNothing, isSnapshot),
  /** Opens a comparison of two revisions. */
  compare: command(
    isShape<{ readonly older: string; readonly newer: string }>({
      older: isString,
      newer: isString,
    }),
  ),
  compareWithCurrent: command(isKey),
  restore: command(isKey),
  ...recoveryMessages,
  /** The document changed, so the shown history is outdated. */
  changed: notification(isNothing),
} as const;

export type HistoryProtocol = typeof historyProtocol;

/** State that the panel saves with `setState`. */
export interface HistoryPanelState {
  readonly document: string;
  readonly selected: readonly string[];
}

export const isHistoryPanelState = isShape<HistoryPanelState>({
  document: isString,
  selected: isListOf(isString),
});

import {
  type Guarded,
  isBoolean,
  isListOf,
  isUndefined,
  isNumber,
  isOptional,
  isShape,
  isString,
} from './guards';
import { command, notification, request } from './protocol';
import { type RecoveryActionLabels, recoveryMessages } from './recoveryAction';

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
  readonly notStored: string;
  readonly moreChanges: string;
  readonly selectFirstRow: string;
  /** `{0}` is the time and `{1}` the editor. */
  readonly selectRow: string;
}

const isRow = isShape({
  /** Key of the revision. Only the host interprets it. */
  key: isString,
  /** Time of the edit in milliseconds since 1970; undefined for the initial revision. */
  madeOn: isOptional(isNumber),
  /** Author of the edit; empty if the service doesn't report it. */
  editor: isString,
  /** Summary of the edit's changes. */
  summary: isString,
  /** Descriptions of all changes in the edit, one line each. */
  details: isListOf(isString),
  /** True for the current revision of the document. */
  current: isBoolean,
  /**
   * True if the service stored the text of the revision, which is necessary for comparing and
   * restoring it.
   */
  available: isBoolean,
  /** Key of the revision that the edit replaced, if its text is available for comparison. */
  previousKey: isOptional(isString),
});
/** A revision of a document, as the history panel shows it. */
export type HistoryRow = Guarded<typeof isRow>;

const isSnapshot = isShape({
  /** The document's name. */
  title: isString,
  /** Path of the document, such as `Acme › rover-07`. */
  path: isString,
  rows: isListOf(isRow),
  hasMore: isBoolean,
});
export type HistorySnapshot = Guarded<typeof isSnapshot>;

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
  notStored: isString,
  moreChanges: isString,
  selectFirstRow: isString,
  selectRow: isString,
});

const isKey = isShape({ key: isString });

const isStart = isShape({
  strings: isStrings,
  /** BCP 47 language tag for formatting times and numbers. */
  locale: isString,
  /**
   * Identifies the document. It is saved with `setState` together with the selection to restore the
   * panel after the window is reloaded.
   */
  document: isString,
});

/** Messages between the history panel and its host. */
export const historyProtocol = {
  /**
   * Handshake: the webview has started and requests the information that it needs before any data.
   */
  ready: request(isUndefined, isStart),
  /** Requests the history from the service, starting with the newest revision, and returns it. */
  load: request(isUndefined, isSnapshot),
  /** Returns all revisions that were loaded before and one more page. */
  loadMore: request(isUndefined, isSnapshot),
  /** Opens a comparison of two revisions. */
  compare: command(
    isShape({
      older: isString,
      newer: isString,
    }),
  ),
  compareWithCurrent: command(isKey),
  restore: command(isKey),
  ...recoveryMessages,
  /** Reports that the document changed, so the displayed history is outdated. */
  changed: notification(isUndefined),
} as const;

export type HistoryProtocol = typeof historyProtocol;

export const isHistoryPanelState = isShape({
  document: isString,
  selected: isListOf(isString),
});
/** State that the panel saves with `setState`. */
export type HistoryPanelState = Guarded<typeof isHistoryPanelState>;

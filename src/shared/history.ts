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
import { recoveryMessages } from './recoveryAction';

const isRow = isShape({
  /** The revision's key. Only the host interprets it. */
  key: isString,
  /** Edit time in milliseconds since 1970; undefined for the initial revision. */
  madeOn: isOptional(isNumber),
  /** The edit's author; empty if the service doesn't report it. */
  editor: isString,
  /** Summary of the edit's changes. */
  summary: isString,
  /** Descriptions of all changes in the edit, one line each. */
  details: isListOf(isString),
  /** True for the document's current revision. */
  current: isBoolean,
  /**
   * True if the service stored the revision's text, which is necessary for comparing and restoring
   * it.
   */
  available: isBoolean,
  /** Key of the revision that the edit replaced, if its text is available for comparison. */
  previousKey: isOptional(isString),
});
/** A document revision, as the history panel shows it. */
export type HistoryRow = Guarded<typeof isRow>;

const isSnapshot = isShape({
  /** The document's name. */
  title: isString,
  /** Path of the document, such as `Acme › rover-07`. */
  path: isString,
  rows: isListOf(isRow),
  hasMore: isBoolean,
  /** Reason that no revision can be restored; absent if changes are allowed. */
  readOnly: isOptional(isString),
});
export type HistorySnapshot = Guarded<typeof isSnapshot>;

const isKey = isShape({ key: isString });

const isStart = isShape({
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
   * Handshake. Reports that the webview has started, and requests the information that it needs
   * before any data.
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

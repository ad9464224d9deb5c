import {
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

/** A revision of a document, as the history panel shows it. */
export interface HistoryRow {
  /** Key of the revision. Only the host interprets it. */
  readonly key: string;
  /** Time of the edit in milliseconds since 1970; undefined for the initial revision. */
  readonly madeOn?: number | undefined;
  /** Author of the edit; empty if the service doesn't report it. */
  readonly editor: string;
  /** Summary of the edit's changes. */
  readonly summary: string;
  /** Descriptions of all changes in the edit, one line each. */
  readonly details: readonly string[];
  /** True for the current revision of the document. */
  readonly current: boolean;
  /**
   * True if the service stored the text of the revision, which is necessary for comparing and
   * restoring it.
   */
  readonly available: boolean;
  /** Key of the revision that the edit replaced, if its text is available for comparison. */
  readonly previousKey?: string | undefined;
}

export interface HistorySnapshot {
  /** The document's name. */
  readonly title: string;
  /** Path of the document, such as `Acme › rover-07`. */
  readonly path: string;
  readonly rows: readonly HistoryRow[];
  readonly hasMore: boolean;
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
  path: isString,
  rows: isListOf(isRow),
  hasMore: isBoolean,
});

interface Start {
  /** BCP 47 language tag for formatting times and numbers. */
  readonly locale: string;
  /**
   * Identifies the document. It is saved with `setState` together with the selection to restore the
   * panel after the window is reloaded.
   */
  readonly document: string;
}

const isKey = isShape<{ readonly key: string }>({ key: isString });

/** Messages between the history panel and its host. */
export const historyProtocol = {
  /**
   * Handshake: the webview has started and requests the information that it needs before any data.
   */
  ready: request(isUndefined, isShape<Start>({ locale: isString, document: isString })),
  /** Requests the history from the service, starting with the newest revision, and returns it. */
  load: request(isUndefined, isSnapshot),
  /** Returns all revisions that were loaded before and one more page. */
  loadMore: request(isUndefined, isSnapshot),
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
  /** Reports that the document changed, so the displayed history is outdated. */
  changed: notification(isUndefined),
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

import {
  type Guard,
  isBoolean,
  isListOf,
  isNumber,
  isOptional,
  isRecord,
  isShape,
  isString,
  isUndefined,
} from '../guards';
import { command, notification, request } from '../protocol';
import { isRecoveryAction, type RecoveryAction, recoveryMessages } from '../recoveryAction';
import {
  editorMessages,
  isQueryLanguage,
  isQueryText,
  type QueryLanguage,
  type QueryText,
} from './editor';
import { isShownResult } from './shownResult';
import type { QueryFrameStrings } from './queryFrameStrings';
import type { ResultStrings } from './resultStrings';
import { resultMessages } from './results';

/** All strings for a query panel, grouped by the parts of the panel. */
export interface QueryStrings {
  readonly frame: QueryFrameStrings;
  readonly results: ResultStrings;
}

/** Strings by name: either the editor's text by language, or parameter values. */
export type Texts = Readonly<Record<string, string>>;

const isTexts: Guard<Texts> = (value): value is Texts =>
  isRecord(value) && Object.values(value).every((text) => isString(text));
const isViews: Guard<Readonly<Record<string, unknown>>> = isRecord;

/** State that the webview saves to restore the view after the window is reloaded. */
export interface QueryPanelState {
  /**
   * Identifies the connection and organization of the panel. The host reads it; the webview only
   * saves it.
   */
  readonly panel: string;
  readonly language: QueryLanguage;
  /** The editor's text by language. */
  readonly texts: Texts;
  readonly recent: boolean;
  /** Values of parameters by name. */
  readonly parameters: Texts;
  /** Saved states of the page's parts by name. Each part validates its own state. */
  readonly views: Readonly<Record<string, unknown>>;
}

export const isQueryPanelState = isShape<QueryPanelState>({
  panel: isString,
  language: isQueryLanguage,
  texts: isTexts,
  recent: isBoolean,
  parameters: isTexts,
  views: isViews,
});

export interface QueryStart {
  readonly strings: QueryStrings;
  readonly locale: string;
  readonly panel: string;
  /** Name of the organization whose data is queried. */
  readonly organization: string;
  readonly language: QueryLanguage;
  readonly texts: Texts;
  readonly recent: boolean;
  /** Known values of parameters by name. */
  readonly parameters: Texts;
}

const isStrings: Guard<QueryStrings> = (value): value is QueryStrings => isRecord(value);

const isStart = isShape<QueryStart>({
  strings: isStrings,
  locale: isString,
  panel: isString,
  organization: isString,
  language: isQueryLanguage,
  texts: isTexts,
  recent: isBoolean,
  parameters: isTexts,
});

/** A request to run the text, or the selected part of it. */
export interface QueryRunRequest extends QueryText {
  readonly recent: boolean;
  readonly parameters: Texts;
}

/** A query that was run. The entry contains the number of rows but never the rows themselves. */
export interface HistoryEntry {
  readonly id: string;
  readonly language: QueryLanguage;
  readonly text: string;
  /** Time of the run, in milliseconds since 1970. */
  readonly at: number;
  /** Number of rows; absent if the query failed or was canceled. */
  readonly rows?: number | undefined;
  readonly elapsedMs?: number | undefined;
}

const isEntry = isShape<HistoryEntry>({
  id: isString,
  language: isQueryLanguage,
  text: isString,
  at: isNumber,
  rows: isOptional(isNumber),
  elapsedMs: isOptional(isNumber),
});

/** Reason why queries can't be run: there is no connection, or the API key lacks the permission. */
export interface QueryErrorState {
  /** The problem; absent once it is solved. */
  readonly problem?: string | undefined;
  /** True if queries can be run despite the problem. */
  readonly canRun?: boolean | undefined;
  /** Recovery action, if there is one. */
  readonly way?: RecoveryAction | undefined;
}

/** Messages of the panel as a whole. */
export const queryPanelMessages = {
  ready: request(isUndefined, isStart),
  /** Reports that the page has started. The host then sends the current state. */
  begin: command(isUndefined),
  /**
   * Runs a query; `resultShown` and `resultChanged` follow. Fails with `invalid` if a parameter has
   * no value.
   */
  runQuery: request(
    isShape<QueryRunRequest>({
      language: isQueryLanguage,
      text: isString,
      recent: isBoolean,
      parameters: isTexts,
    }),
    isShape<{ result: string }>({ result: isString }),
  ),
  resultShown: notification(isShownResult),
  /** Replaces the text in the editor. */
  textGiven: notification(isQueryText),
  /** The name of the organization changed. */
  organizationNamed: notification(isShape<{ name: string }>({ name: isString })),
  ...recoveryMessages,
  troubled: notification(
    isShape<QueryErrorState>({
      problem: isOptional(isString),
      canRun: isOptional(isBoolean),
      way: isOptional(isRecoveryAction),
    }),
  ),
  /**
   * Prompts for a machine, part, location, or component, and returns it; absent if the user
   * cancels.
   */
  pickParameter: request(
    isShape<{ name: string }>({ name: isString }),
    isShape<{ value?: string | undefined }>({ value: isOptional(isString) }),
  ),
  /** Prompts for a resource and returns its ID, which the page inserts at the cursor. */
  pickId: request(
    isUndefined,
    isShape<{ value?: string | undefined }>({ value: isOptional(isString) }),
  ),
  /** Returns earlier queries that contain all the given words, newest first. */
  searchHistory: request(
    isShape<{ searchText: string; start: number; end: number }>({
      searchText: isString,
      start: isNumber,
      end: isNumber,
    }),
    isShape<{ entries: readonly HistoryEntry[]; total: number; isEnabled: boolean }>({
      entries: isListOf(isEntry),
      total: isNumber,
      // True if queries are saved in the history. Users can turn this off.
      isEnabled: isBoolean,
    }),
  ),
  forgetQuery: request(isShape<{ id: string }>({ id: isString }), isUndefined),
  /** Clears the query history of the connection after the user confirms this. */
  forgetHistory: request(isUndefined, isShape<{ forgotten: boolean }>({ forgotten: isBoolean })),
  /** Saves the text to a file that the user selects. */
  saveQuery: command(isQueryText),
  /** Prompts for a file that contains a query, and opens it. */
  openQuery: command(isUndefined),
} as const;

/** All messages between a query panel and its host, grouped by the parts of the panel. */
export const queryProtocol = {
  ...queryPanelMessages,
  ...editorMessages,
  ...resultMessages,
} as const;

export type QueryProtocol = typeof queryProtocol;

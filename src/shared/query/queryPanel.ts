import { isRecord } from '../../base/isRecord';
import {
  type Guarded,
  type Guard,
  isBoolean,
  isListOf,
  isNumber,
  isOptional,
  isShape,
  isString,
  isUndefined,
} from '../guards';
import { command, notification, request } from '../protocol';
import { isRecoveryAction, recoveryMessages } from '../recoveryAction';
import { editorMessages, isQueryLanguage, isQueryText } from './editor';
import { isShownResult, resultMessages } from './results';

/** Strings by name: either the editor's text by language, or parameter values. */
export type Texts = Readonly<Record<string, string>>;

const isTexts: Guard<Texts> = (value): value is Texts =>
  isRecord(value) && Object.values(value).every((text) => isString(text));
const isViews: Guard<Readonly<Record<string, unknown>>> = isRecord;

export const isQueryPanelState = isShape({
  /**
   * Identifies the panel's connection and organization. The host reads it; the webview only saves
   * it.
   */
  panel: isString,
  language: isQueryLanguage,
  /** The editor's text by language. */
  texts: isTexts,
  recent: isBoolean,
  /** Values of parameters by name. */
  parameters: isTexts,
  /** Saved states of the page's parts by name. Each part validates its own state. */
  views: isViews,
});
/** State that the webview saves to restore the view after the window is reloaded. */
export type QueryPanelState = Guarded<typeof isQueryPanelState>;

const isStart = isShape({
  locale: isString,
  panel: isString,
  /** Name of the organization whose data is queried. */
  organization: isString,
  language: isQueryLanguage,
  texts: isTexts,
  recent: isBoolean,
  /** Known values of parameters by name. */
  parameters: isTexts,
});
export type QueryStart = Guarded<typeof isStart>;

/** A request to run the text in the editor, or the selected part of the text. */
const isQueryRunRequest = isShape({
  language: isQueryLanguage,
  text: isString,
  recent: isBoolean,
  parameters: isTexts,
});

const isEntry = isShape({
  id: isString,
  language: isQueryLanguage,
  text: isString,
  /** Time of the run, in milliseconds since 1970. */
  at: isNumber,
  /** Number of rows; absent if the query failed or was canceled. */
  rows: isOptional(isNumber),
  elapsedMs: isOptional(isNumber),
});
/** A query that was run. The entry contains the number of rows but never the rows themselves. */
export type HistoryEntry = Guarded<typeof isEntry>;

const isHistoryPosition = isShape({ id: isString, at: isNumber });
/** Position of an entry in a history. */
export type HistoryPosition = Guarded<typeof isHistoryPosition>;

const isQueryErrorState = isShape({
  /** The problem; absent once it is solved. */
  problem: isOptional(isString),
  /** True if queries can be run despite the problem. */
  canRun: isOptional(isBoolean),
  /** Recovery action, if there is one. */
  recovery: isOptional(isRecoveryAction),
});
/** Reason why queries can't be run: no connection, or an API key without the permission. */
export type QueryErrorState = Guarded<typeof isQueryErrorState>;

/** Messages about the panel as a whole. */
export const queryPanelMessages = {
  ready: request(isUndefined, isStart),
  /** Reports that the page has started. The host then sends the current state. */
  begin: command(isUndefined),
  /**
   * Runs a query; `resultShown` and `resultChanged` follow. Fails with `invalid` if a parameter has
   * no value.
   */
  runQuery: request(isQueryRunRequest, isShape({ result: isString })),
  resultShown: notification(isShownResult),
  /** Replaces the text in the editor. */
  queryInserted: notification(isQueryText),
  /** The name of the organization changed. */
  organizationNamed: notification(isShape({ name: isString })),
  ...recoveryMessages,
  problemChanged: notification(isQueryErrorState),
  /**
   * Prompts for a machine, part, location, or component, and returns it; absent if the user
   * cancels.
   */
  pickParameter: request(isShape({ name: isString }), isShape({ value: isOptional(isString) })),
  /** Prompts for a resource and returns its ID, which the page inserts at the cursor. */
  pickId: request(isUndefined, isShape({ value: isOptional(isString) })),
  /** Returns earlier queries that contain all the given words, newest first. */
  searchHistory: request(
    isShape({
      searchText: isString,
      // The last entry of the previous page. Positions would shift with each query that is run.
      after: isOptional(isHistoryPosition),
      limit: isNumber,
    }),
    isShape({
      entries: isListOf(isEntry),
      total: isNumber,
      // True if queries are saved in the history. Users can turn this off.
      isEnabled: isBoolean,
    }),
  ),
  removeQuery: request(isShape({ id: isString }), isUndefined),
  /** Clears the connection's query history after the user confirms. */
  clearHistory: request(isUndefined, isShape({ isCleared: isBoolean })),
  /** Saves the text to a file that the user selects. */
  saveQuery: command(isQueryText),
  /** Prompts for a file that contains a query, and opens it. */
  openQuery: command(isUndefined),
} as const;

/** All messages between a query panel and its host, grouped by panel part. */
export const queryProtocol = {
  ...queryPanelMessages,
  ...editorMessages,
  ...resultMessages,
} as const;

export type QueryProtocol = typeof queryProtocol;

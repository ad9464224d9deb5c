import {
  type Guard,
  isBoolean,
  isListOf,
  isNothing,
  isNumber,
  isOptional,
  isRecord,
  isShape,
  isString,
} from '../guards';
import { command, notification, request } from '../protocol';
import { isWayOut, type WayOut, wayOutMessages } from '../wayOut';
import { isQueryLanguage, isQueryText, type QueryLanguage, type QueryText } from './editor';
import type { QueryStrings } from './queryStrings';
import { isShownResult } from './shownResult';

/** Texts by names: what each language's editor holds, or the values of parameters. */
export type Texts = Readonly<Record<string, string>>;

const isTexts: Guard<Texts> = (value): value is Texts =>
  isRecord(value) && Object.values(value).every((text) => isString(text));
const isViews: Guard<Readonly<Record<string, unknown>>> = isRecord;

/** What the webview keeps of itself, so that a reload of the window shows the same again. */
export interface QueryPanelState {
  /** Says of which connection and organization the panel is. The host reads it, the webview only keeps it. */
  readonly panel: string;
  readonly language: QueryLanguage;
  /** By language. */
  readonly texts: Texts;
  readonly recent: boolean;
  /** Values of parameters by their names. */
  readonly parameters: Texts;
  /** What parts of the page keep of themselves, by their names; each checks what it finds. */
  readonly views: Readonly<Record<string, unknown>>;
}

export const isQueryPanelState = isShape<QueryPanelState>({
  ...{ panel: isString, language: isQueryLanguage, texts: isTexts, recent: isBoolean },
  ...{ parameters: isTexts, views: isViews },
});

export interface QueryStart {
  readonly strings: QueryStrings;
  readonly locale: string;
  readonly panel: string;
  /** The name of the organization whose readings are asked. */
  readonly organization: string;
  readonly language: QueryLanguage;
  readonly texts: Texts;
  readonly recent: boolean;
  /** Values of parameters that are known, by their names. */
  readonly parameters: Texts;
}

const isStrings: Guard<QueryStrings> = (value): value is QueryStrings => isRecord(value);

const isStart = isShape<QueryStart>({
  ...{ strings: isStrings, locale: isString, panel: isString, organization: isString },
  ...{ language: isQueryLanguage, texts: isTexts, recent: isBoolean, parameters: isTexts },
});

/** A run of a text, or of the selected part of it. */
export interface QueryRunRequest extends QueryText {
  readonly recent: boolean;
  readonly parameters: Texts;
}

/** A query that was run. Never what came of it but how much. */
export interface HistoryEntry {
  readonly id: string;
  readonly language: QueryLanguage;
  readonly text: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Absent when it failed or was canceled. */
  readonly rows?: number | undefined;
  readonly elapsedMs?: number | undefined;
}

const isEntry = isShape<HistoryEntry>({
  ...{ id: isString, language: isQueryLanguage, text: isString, at: isNumber },
  ...{ rows: isOptional(isNumber), elapsedMs: isOptional(isNumber) },
});

/** Why nothing can be asked: it is not known as whom, or the key may not. */
export interface QueryTrouble {
  /** Absent when it is over. */
  readonly problem?: string | undefined;
  /** Queries can be run all the same. */
  readonly canRun?: boolean | undefined;
  /** What helps, where something does. */
  readonly way?: WayOut | undefined;
}

/** Messages of the panel as a whole. */
export const queryPanelMessages = {
  ready: request(isNothing, isStart),
  /** The page is there: tells it what is at work. */
  begin: command(isNothing),
  /** Asks; `resultShown` and `resultChanged` follow. Fails with `invalid` where a parameter has no value. */
  runQuery: request(
    isShape<QueryRunRequest>({
      ...{ language: isQueryLanguage, text: isString, recent: isBoolean },
      parameters: isTexts,
    }),
    isShape<{ result: string }>({ result: isString }),
  ),
  resultShown: notification(isShownResult),
  /** Puts a text into the editor, in the place of what is there. */
  textGiven: notification(isQueryText),
  /** The organization has another name. */
  organizationNamed: notification(isShape<{ name: string }>({ name: isString })),
  ...wayOutMessages,
  troubled: notification(
    isShape<QueryTrouble>({
      ...{ problem: isOptional(isString), canRun: isOptional(isBoolean) },
      way: isOptional(isWayOut),
    }),
  ),
  /** Lets a person choose a machine, part, location or component of the fleet; absent when they do not. */
  pickParameter: request(
    isShape<{ name: string }>({ name: isString }),
    isShape<{ value?: string | undefined }>({ value: isOptional(isString) }),
  ),
  /** The id of what a person chooses, for the place of the cursor. */
  pickId: request(
    isNothing,
    isShape<{ value?: string | undefined }>({ value: isOptional(isString) }),
  ),
  /** Earlier queries with all the words, the newest first. */
  searchHistory: request(
    isShape<{ words: string; start: number; end: number }>({
      ...{ words: isString, start: isNumber, end: isNumber },
    }),
    isShape<{ entries: readonly HistoryEntry[]; total: number; isKept: boolean }>({
      ...{ entries: isListOf(isEntry), total: isNumber },
      // Whether queries are kept at all: a person may have switched it off.
      isKept: isBoolean,
    }),
  ),
  forgetQuery: request(isShape<{ id: string }>({ id: isString }), isNothing),
  /** Asks first, then forgets all of the connection. */
  forgetHistory: request(isNothing, isShape<{ forgotten: boolean }>({ forgotten: isBoolean })),
  /** Saves the text as a file of the person's choice. */
  saveQuery: command(isQueryText),
  /** Lets a person open a file with a query. */
  openQuery: command(isNothing),
} as const;

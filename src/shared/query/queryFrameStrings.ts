import type { WayOutWords } from '../wayOut';
import type { QueryFinding, QueryLanguage } from './editor';

/** The questions that a panel offers when nothing was asked yet. */
export const queryExamples = ['latest', 'perHour', 'ofPart'] as const;
export type QueryExample = (typeof queryExamples)[number];

/** What the frame of a query panel and its editor say. The webview fills in what is in braces. */
export interface QueryFrameStrings {
  readonly tools: {
    /** Names the row of tools. */
    readonly label: string;
    /** Whose readings are asked: {0} is the organization. */
    readonly organization: string;
    readonly language: string;
    readonly languages: Readonly<Record<QueryLanguage, string>>;
    readonly run: string;
    /** {0} are the keys, here and in the next. */
    readonly runHint: string;
    readonly runSelection: string;
    readonly runSelectionHint: string;
    readonly cancel: string;
    readonly cancelHint: string;
    readonly recent: string;
    readonly recentHint: string;
    /** Why it cannot be chosen in SQL. */
    readonly recentInSql: string;
    readonly insertId: string;
    readonly insertIdHint: string;
    readonly history: string;
    readonly more: string;
    readonly save: string;
    readonly open: string;
  };
  readonly editor: {
    /** {0} is the language. */
    readonly label: string;
    /** What the keys do, for screen readers. */
    readonly keys: string;
    /** Names the list of what can stand at the cursor. */
    readonly completions: string;
    /** Stands in an empty editor; {0} are the keys that complete. */
    readonly placeholder: string;
  };
  readonly search: {
    readonly find: string;
    readonly replaceWith: string;
    readonly next: string;
    readonly previous: string;
    readonly all: string;
    readonly matchCase: string;
    readonly pattern: string;
    readonly wholeWord: string;
    readonly replace: string;
    readonly replaceAll: string;
    readonly close: string;
    /** For screen readers: before the text that was found, and before its line. */
    readonly currentMatch: string;
    readonly onLine: string;
  };
  readonly problems: {
    /** Names the list of what is wrong or doubtful. */
    readonly label: string;
    /** Names the list of warnings that unfolds. */
    readonly warnings: string;
    /** {0} is the number of warnings, at least 2; {1} the first of them. */
    readonly foldedWarnings: string;
    /** The same where some of them are of the severity information. */
    readonly foldedNotes: string;
    /** The same while all of them are listed below. {0} is their number. */
    readonly unfoldedWarnings: string;
    readonly unfoldedNotes: string;
    readonly unfold: string;
    readonly severities: Readonly<Record<QueryFinding['severity'], string>>;
    /** {0} is what the problem is. */
    readonly goTo: string;
    /** {0} is the line, {1} the column. */
    readonly place: string;
  };
  readonly parameters: {
    readonly label: string;
    /** {0} is the parameter. */
    readonly value: string;
    readonly choose: string;
    /** {0} is the parameter. */
    readonly chooseHint: string;
  };
  readonly splitter: string;
  readonly history: {
    readonly label: string;
    readonly search: string;
    readonly list: string;
    /** What the keys do in the list, for screen readers. */
    readonly keys: string;
    readonly text: string;
    readonly use: string;
    readonly useHint: string;
    readonly runAgain: string;
    readonly runAgainHint: string;
    readonly forget: string;
    readonly forgetHint: string;
    readonly forgetAll: string;
    readonly forgetAllHint: string;
    readonly close: string;
    readonly loading: string;
    readonly countOne: string;
    readonly count: string;
    readonly nothingFound: string;
    readonly nothingYet: string;
    /** Stands when a person has switched the history off. */
    readonly notKept: string;
    /** {0} is the language, {1} the moment. */
    readonly askedAt: string;
    readonly rowsOne: string;
    readonly rows: string;
    /** Stands where a query has no number of rows. */
    readonly unfinished: string;
  };
  readonly empty: {
    readonly title: string;
    readonly hint: string;
    readonly examples: Readonly<Record<QueryExample, string>>;
  };
  readonly ways: WayOutWords;
  readonly states: {
    /** Why nothing can be run now. */
    readonly cannotRun: string;
    readonly nothingToRun: string;
    readonly nothingSelected: string;
    readonly dismiss: string;
  };
}

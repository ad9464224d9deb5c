import type { RecoveryActionLabels } from '../recoveryAction';
import type { QueryFinding, QueryLanguage } from './editor';

/** The example queries of a panel before the first run. */
export const queryExamples = ['latest', 'perHour', 'ofPart'] as const;
export type QueryExample = (typeof queryExamples)[number];

/**
 * Strings of a query panel's frame and its editor. The webview replaces the placeholders in braces.
 */
export interface QueryFrameStrings {
  readonly tools: {
    /** Label of the toolbar. */
    readonly label: string;
    /** Organization whose data is queried: {0} is its name. */
    readonly organization: string;
    readonly language: string;
    readonly languages: Readonly<Record<QueryLanguage, string>>;
    readonly run: string;
    /** {0} is the keys, here and in the next string. */
    readonly runHint: string;
    readonly runSelection: string;
    readonly runSelectionHint: string;
    readonly cancel: string;
    readonly cancelHint: string;
    readonly recent: string;
    readonly recentHint: string;
    /** Reason why it can't be selected for SQL. */
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
    /** Description of the keys for screen readers. */
    readonly keys: string;
    /** Label of the list of completions at the cursor. */
    readonly completions: string;
    /** Placeholder of an empty editor; {0} is the completion key. */
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
    /** For screen readers: text before the match, and before its line. */
    readonly currentMatch: string;
    readonly onLine: string;
  };
  readonly problems: {
    /** Label of the list of problems. */
    readonly label: string;
    /** Label of the expandable list of warnings. */
    readonly warnings: string;
    /** {0} is the number of warnings, at least 2; {1} the first of them. */
    readonly foldedWarnings: string;
    /** The same, if some of them have the severity information. */
    readonly foldedNotes: string;
    /** The same while all of them are listed below. {0} is their number. */
    readonly unfoldedWarnings: string;
    readonly unfoldedNotes: string;
    readonly unfold: string;
    readonly severities: Readonly<Record<QueryFinding['severity'], string>>;
    /** {0} is the problem. */
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
    /** Description of the list's keys for screen readers. */
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
    /** Shown if the user has turned off the history. */
    readonly notKept: string;
    /** {0} is the language, {1} the time. */
    readonly askedAt: string;
    readonly rowsOne: string;
    readonly rows: string;
    /** Shown if a query has no row count. */
    readonly unfinished: string;
  };
  readonly empty: {
    readonly title: string;
    readonly hint: string;
    readonly examples: Readonly<Record<QueryExample, string>>;
  };
  readonly ways: RecoveryActionLabels;
  readonly states: {
    /** Reason why nothing can be run now. */
    readonly cannotRun: string;
    readonly nothingToRun: string;
    readonly nothingSelected: string;
    readonly dismiss: string;
  };
}
